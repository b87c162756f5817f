package dev.interlock.spring.integration;

import dev.interlock.Interlock;
import org.springframework.integration.support.locks.DistributedLock;

/** The lock of one key on Spring Integration 7. */
final class DistributedKeyLock extends KeyLock implements DistributedLock {

    DistributedKeyLock(Interlock interlock, RegistryTerms terms, String name) {
        super(interlock, terms, name);
    }
}
