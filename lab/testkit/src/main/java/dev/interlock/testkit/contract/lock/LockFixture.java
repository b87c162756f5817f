package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockAdministration;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.LockClients;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What the parts of the lock's contract know of the store under test. */
public interface LockFixture {

    /** A lease that does not end during a test, and is not renewed. */
    LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));

    /**
     * A renewing lease whose first renewal is awaited: after a third of it. A machine that stands still for the rest
     * does not end it.
     */
    LeaseTerm RENEWED = LeaseTerm.renewing(Duration.ofSeconds(6));

    /** Ends after the test: neither a poll nor the end of a lease lets a caller in. */
    Duration NEVER = Duration.ofHours(1);

    /** Long enough to see that something does not happen. */
    Duration BRIEF = Duration.ofMillis(150);

    /** Clients and names of this test. */
    LockClients clients();

    /** Whether the store wakes who waits. */
    boolean storeWakes();

    /** Whether the store tells a client that listens that its lease was ended by force. */
    boolean storeTellsForce();

    /** Whether {@code inspect} lists who waits. */
    boolean storeListsWaiters();

    /** Whether the store can ask a holder to let go; then its test implements {@link RevocationContract}. */
    default boolean storeAsks() {
        return this instanceof RevocationContract;
    }

    /** How many names or threads a test of mass may use in short effort. */
    int storeScale();

    /** A client that can be cut off. */
    FaultyStore faultyStore();

    /** A client whose store can be sick, for all others too. */
    FaultyStore sickStore();

    /** Locks and unlocks. */
    static void lockAndUnlock(DistributedLock lock) {
        lock.lock();
        try {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
        } finally {
            lock.unlock();
        }
    }

    /**
     * What the store says. A caller that has no time to wait does not wait for a store that takes longer than usual, as
     * on a busy machine: then it asks again.
     */
    static <T> T answer(Callable<T> attempt) throws Exception {
        long start = System.nanoTime();
        while (true) {
            try {
                return attempt.call();
            } catch (StoreUnavailableException e) {
                if (System.nanoTime() - start > Patience.limit().toNanos()) {
                    throw e;
                }
            }
        }
    }

    /**
     * The same of a lock that is free. An attempt whose answer is late may be refused, too: then it is made again. What
     * it has left in the store is taken back before the next one, which would find it busy.
     */
    static <T> T answerOf(DistributedLock free, Callable<T> attempt) throws Exception {
        long start = System.nanoTime();
        T last;
        do {
            last = answer(() -> {
                await().pollInSameThread().until(() -> !answer(free::isLocked));
                return attempt.call();
            });
        } while (isRefusal(last) && System.nanoTime() - start < Patience.limit().toNanos());
        return last;
    }

    private static boolean isRefusal(Object result) {
        return result.equals(false) || result.equals(Optional.empty());
    }

    /** Returns when a renewal or an extension has moved the end of this lease. */
    static void awaitRenewal(Lease lease) {
        // Read in this order, the first end is not too early and the second one is not too late.
        Duration left = lease.remaining();
        long end = left.toNanos() + System.nanoTime();
        await("renewal of " + lease).until(() -> {
            long now = System.nanoTime();
            return now + lease.remaining().toNanos() - end > 0;
        });
        assertThat(lease.isValid()).isTrue();
    }

    /**
     * That a claim which was left to lapse, at this moment at the earliest, keeps the name; on a slow machine its time
     * may be over already, and the name be another's.
     */
    static void assertLeft(LockStatus status, long leftNanos, Duration lapses) {
        boolean mayBeOver = System.nanoTime() - leftNanos >= lapses.toNanos();
        if (!mayBeOver) {
            assertThat(status.holders()).hasSize(1).allMatch(LockStatus.Holder::isLeft);
        }
    }

    /** A lock of its own, in a client of its own. */
    default DistributedLock lock() {
        return clients().open().lock(clients().name());
    }

    /** An operator with a client of its own, as in another process. */
    default LockAdministration operator() {
        return clients().open().administration();
    }

    /** The same lock in another client, as in another process. */
    default DistributedLock elsewhere(DistributedLock lock) {
        return clients().open().lock(lock.name());
    }
}
