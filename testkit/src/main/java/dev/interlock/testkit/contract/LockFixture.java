package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What the parts of the lock's contract know of the store under test. */
interface LockFixture {

    /** A lease that does not end during a test, and is not renewed. */
    LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));

    /** Longer than it takes to acquire a free lock on a busy machine. */
    Duration AMPLE = Duration.ofSeconds(15);

    /** Long enough to see that something does not happen. */
    Duration BRIEF = Duration.ofMillis(150);

    /** For how long to wait for what comes soon, unless somebody has a bug. */
    default Duration patience() {
        return AMPLE;
    }

    /** Clients and names of this test. */
    LockClients clients();

    /** Whether the store wakes who waits. */
    boolean storeWakes();

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
    static void turn(DistributedLock lock) {
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
                if (System.nanoTime() - start > AMPLE.toNanos()) {
                    throw e;
                }
            }
        }
    }

    /**
     * The same of a lock that is free: what an attempt without an answer has left in the store is taken back before the
     * next one, which would find it busy.
     */
    static <T> T answerOf(DistributedLock free, Callable<T> attempt) throws Exception {
        return answer(() -> {
            await().atMost(AMPLE).pollInSameThread().until(() -> !answer(free::isLocked));
            return attempt.call();
        });
    }

    /**
     * What an attempt brings that ends before its own short lease does. A machine may stand still for that long: then
     * it is repeated.
     */
    static <T> T inTime(Callable<Optional<T>> attempt) throws Exception {
        for (int left = 20; left > 0; left--) {
            Optional<T> result = attempt.call();
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw new AssertionError("20 times the lease was over too early");
    }

    /** A lock of its own, in a client of its own. */
    default DistributedLock lock() {
        return clients().open().lock(clients().name());
    }

    /** The same lock in another client, as in another process. */
    default DistributedLock elsewhere(DistributedLock lock) {
        return clients().open().lock(lock.name());
    }
}
