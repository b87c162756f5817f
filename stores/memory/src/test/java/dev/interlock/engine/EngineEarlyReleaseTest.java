package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Locks that are released without waiting for the store: what the holder and its observers learn, and what becomes of
 * the acquires that follow. Invariants I1, I6, I7.
 */
// A release that waits all the same would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineEarlyReleaseTest {

    private static final LockOptions EARLY = LockOptions.builder()
            .releaseEarly(true)
            .lease(LeaseTerm.renewing(Duration.ofSeconds(10)))
            .build();

    private final List<ReleaseOutcome> outcomes = new ArrayList<>();
    private final Simulation one = Simulation.start((name, kind, mode) -> new LockObserver.Acquisition() {
        @Override
        public void ended(ReleaseOutcome outcome, Duration held) {
            outcomes.add(outcome);
        }
    });
    private final DistributedLock lock = one.lock("n", EARLY);

    private CompletableFuture<Lease> waiting() {
        return lock.acquireAsync().toCompletableFuture();
    }

    private CompletableFuture<Optional<Lease>> tried() {
        return lock.tryAcquireAsync().toCompletableFuture();
    }

    private Lease acquired() {
        return waiting().join();
    }

    private void commands(int acquires, int releases) {
        assertThat(one.store.count(Verb.ACQUIRE)).as("acquires").isEqualTo(acquires);
        assertThat(one.store.count(Verb.RELEASE)).as("releases").isEqualTo(releases);
    }

    private void assertAtRest() {
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
        assertThat(one.core.context().releases().preceding(LockId.lock("n"))).isNull();
    }

    // ---- what is learned

    @Test
    void unlock_returnsBeforeTheAnswer_whichObserversLearn() {
        lock.lock();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);

        lock.unlock();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(outcomes).isEmpty();
        one.store.letGo();
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        assertAtRest();
    }

    @Test
    void close_returnsBeforeTheAnswer_andOnlyTheFirstOneCounts() {
        Lease lease = acquired();
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);

        lease.close();
        lease.close();

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
        one.store.letGo();
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        commands(1, 1);
        assertAtRest();
    }

    /** Who asks for the outcome gets it. */
    @Test
    void releaseAsync_completesWithTheAnswer() {
        Lease lease = acquired();
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> released = lease.releaseAsync().toCompletableFuture();
        assertThat(released).isNotDone();
        one.store.letGo();
        assertThat(released).isCompletedWithValue(ReleaseOutcome.RELEASED);
    }

    @Test
    void unlock_ofALossThatIsKnown_throws() {
        lock.lock(LeaseTerm.fixed(Duration.ofSeconds(1)));
        one.advance(Duration.ofSeconds(2));

        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

        assertThat(outcomes).containsExactly(ReleaseOutcome.lost(LossCause.EXPIRED));
        commands(1, 1);
    }

    @Test
    void unlock_ofALossThatTheAnswerShows_returns_andObserversLearn() {
        lock.lock();
        one.neighbour().administration().forceUnlock("n");
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);

        lock.unlock();

        one.store.letGo();
        assertThat(outcomes).containsExactly(ReleaseOutcome.lost(LossCause.FORCED));
        assertAtRest();
    }

    @Test
    void unlock_byAThreadThatDoesNotHold_throws() {
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        commands(1, 1);
    }

    @Test
    void unansweredRelease_isUnconfirmed_andRepeated() {
        Lease lease = acquired();
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        lease.close();
        one.advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        assertThat(outcomes).isEmpty();
        one.advance(Duration.ofMillis(3));
        assertThat(outcomes).containsExactly(ReleaseOutcome.UNCONFIRMED);
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(3));
        assertThat(one.store.count(Verb.RENEW)).isZero();
        assertAtRest();
    }

    @Test
    void closedClient_tellsWhatItKnows() {
        Lease lease = acquired();
        one.store.road(Road.LOSE_ANSWERS, Verb.RELEASE);
        lease.close();
        one.clock.beforeReading(() -> one.clock.advanceNanos(1_000_000));

        one.core.close();

        assertThat(outcomes).containsExactly(ReleaseOutcome.UNCONFIRMED);
    }

    // ---- the acquires that follow

    @Test
    void nextAcquire_isSentAtOnce_ifTheStoreKeepsTheOrder() {
        one.store.promisesOrder();
        Lease first = acquired();
        one.store.road(Road.KEEP_REQUESTS);
        first.close();
        CompletableFuture<Optional<Lease>> next = tried();
        commands(2, 1);

        one.store.letGo();

        assertThat(next.join())
                .hasValueSatisfying(lease -> assertThat(lease.token()).isGreaterThan(first.token()));
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
    }

    @Test
    void nextAcquire_waitsForTheAnswer_ifTheStoreKeepsNoOrder() {
        Lease first = acquired();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        first.close();
        CompletableFuture<Optional<Lease>> next = tried();
        CompletableFuture<Lease> other = one.lock("other", EARLY).acquireAsync().toCompletableFuture();
        assertThat(other).isCompleted();
        assertThat(next).isNotDone();
        commands(2, 1);

        one.store.letGo();

        assertThat(next.join())
                .hasValueSatisfying(lease -> assertThat(lease.token()).isGreaterThan(first.token()));
        commands(3, 1);
    }

    /** A script that the server does not know yet, a redirection, a new connection: the release is sent once more. */
    @Test
    void acquireThatOvertakesTheRelease_isSentOnceMore_andNotRefused() {
        one.store.promisesOrder();
        Lease first = acquired();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        first.close();
        CompletableFuture<Optional<Lease>> next = tried();
        commands(2, 1);
        assertThat(next).isNotDone();

        one.store.letGo();

        assertThat(next.join()).isPresent();
        commands(3, 1);
    }

    @Test
    void acquireThatWaits_andOvertakesTheRelease_isGranted() {
        one.store.promisesOrder();
        Lease first = acquired();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        first.close();
        CompletableFuture<Lease> next = waiting();
        assertThat(next).isNotDone();

        one.store.letGo();

        assertThat(next).isCompleted();
        one.store.road(Road.OPEN);
        next.join().close();
        assertAtRest();
    }

    /** It overtakes, and finds another's claim afterwards: that is the answer. */
    @Test
    void acquireThatIsSentOnceMore_mayBeRefused() {
        one.store.promisesOrder();
        Lease first = acquired();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        Simulation two = one.neighbour();
        CompletableFuture<Lease> foreign = two.lock("n").acquireAsync().toCompletableFuture();
        first.close();
        CompletableFuture<Optional<Lease>> next = tried();

        one.store.letGo();

        assertThat(foreign).isCompleted();
        assertThat(next.join()).isEmpty();
    }

    @Test
    void callerThatGivesUp_whileItIsKeptBack_leavesNothingBehind() {
        Lease first = acquired();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        first.close();
        CompletableFuture<Lease> next = waiting();
        assertThat(next.cancel(false)).isTrue();

        one.store.road(Road.OPEN);
        one.store.letGo();

        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
        assertAtRest();
    }

    @Test
    void callerThatGivesUp_whenItHasOvertaken_leavesNothingBehind() {
        one.store.promisesOrder();
        Lease first = acquired();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        first.close();
        CompletableFuture<Lease> next = waiting();
        assertThat(one.inspect("n").waiters()).hasSize(1);
        one.store.road(Road.OPEN);
        assertThat(next.cancel(false)).isTrue();

        one.store.letGo();

        assertThat(one.inspect("n").waiters()).isEmpty();
        assertAtRest();
    }

    /** As without the option: what the store does not confirm may be in the way. */
    @Test
    void nextAcquire_waitsNoLongerThanForTheOutcome() {
        Lease first = acquired();
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        first.close();
        CompletableFuture<Lease> next = waiting();
        one.store.road(Road.OPEN);
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();

        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(20));

        assertThat(outcomes).containsExactly(ReleaseOutcome.UNCONFIRMED);
        assertThat(next).isCompleted();
        assertThat(next.join().token()).isGreaterThan(first.token());
    }

    @Test
    void brokenConnection_isRepeatedAtOnce_andTheNextIsGranted() {
        one.store.promisesOrder();
        Lease first = acquired();
        one.store.road(Road.BREAK_ONCE, Verb.RELEASE);
        first.close();
        assertThat(outcomes).as("the first release may have ended it").containsExactly(ReleaseOutcome.UNCONFIRMED);
        assertThat(tried().join()).isPresent();
        commands(2, 2);
    }

    /** Permits of several leases come back one by one. */
    @Test
    void nextAcquire_waitsForAllReleasesOfTheName() {
        DistributedSemaphore semaphore = one.semaphore("s", 2, EARLY);
        Lease first = semaphore.acquireAsync(1).toCompletableFuture().join();
        Lease second = semaphore.acquireAsync(1).toCompletableFuture().join();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        first.close();
        second.close();
        CompletableFuture<Optional<Lease>> both =
                semaphore.tryAcquireAsync(2, Duration.ZERO).toCompletableFuture();

        one.store.letGo(1);
        assertThat(both).isNotDone();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        one.store.letGo();

        assertThat(both.join()).isPresent();
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED, ReleaseOutcome.RELEASED);
    }

    // ---- without a release

    @Test
    void callerOfThisProcess_takesOver_withoutTheStore() {
        Lease first = acquired();
        CompletableFuture<Lease> next = waiting();
        first.close();
        assertThat(next).isCompleted();
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        commands(1, 0);
    }

    @Test
    void retainedLock_isKept_andReleasedEarlyWhenAnotherWantsIt() {
        DistributedLock retained =
                one.lock("n", EARLY.toBuilder().retained(Duration.ofMinutes(5)).build());
        retained.lock();
        retained.unlock();
        retained.lock();
        commands(1, 0);
        CompletableFuture<Lease> foreign =
                one.neighbour().lock("n").acquireAsync().toCompletableFuture();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);

        retained.unlock();

        commands(1, 1);
        assertThat(foreign).isNotDone();
        one.store.letGo();
        assertThat(foreign).isCompleted();
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED, ReleaseOutcome.RELEASED);
    }
}
