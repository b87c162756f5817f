/**
 * The rules of locks that a store can break although each of its verbs is right. Begin with
 * {@link dev.interlock.testkit.contract.lock.DistributedLockContract} and
 * {@link dev.interlock.testkit.contract.lock.ReadWriteLockContract}; the parts are interfaces over
 * {@link dev.interlock.testkit.contract.lock.LockFixture}.
 */
@NullMarked
package dev.interlock.testkit.contract.lock;

import org.jspecify.annotations.NullMarked;
