package dev.interlock.spring.integration;

import org.springframework.integration.support.locks.DistributedLock;

/** The lock of one key on Spring Integration 7. */
final class DistributedKeyLock extends KeyLock implements DistributedLock {

    DistributedKeyLock(dev.interlock.DistributedLock lock, RegistryTerms terms) {
        super(lock, terms);
    }
}
