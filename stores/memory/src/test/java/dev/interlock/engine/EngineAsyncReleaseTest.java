package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Releases that nobody waits for in a thread: their outcome, and when it is known. Invariants I6, I7, I8. */
// A release that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineAsyncReleaseTest {

    private static final LeaseTerm TEN_SECONDS = LeaseTerm.renewing(Duration.ofSeconds(10));

    private final Simulation one = Simulation.start();

    private static CompletableFuture<ReleaseOutcome> release(Lease lease) {
        return lease.releaseAsync().toCompletableFuture();
    }

    private Lease acquired() {
        return one.acquire("n", TEN_SECONDS).join();
    }

    private void assertAtRest() {
        assertThat(one.isAtRest()).isTrue();
        assertThat(one.inspect("n").isLocked()).isFalse();
    }

    @Test
    void itIsReleasedWhenTheStoreSaysSo() {
        Lease lease = acquired();
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> released = release(lease);
        assertThat(lease.isValid()).isFalse();
        assertThat(released).isNotDone();
        assertThat(release(lease)).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
        one.store.letGo();
        assertThat(released).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertAtRest();
    }

    @Test
    void aStoreThatAnswersAtOnceIsNotWaitedFor() {
        assertThat(release(acquired())).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void missingAnswer_isUnconfirmed_repeated_andNeverRenewed() {
        Lease lease = acquired();
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> released = release(lease);
        one.advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        assertThat(released).isNotDone();
        one.advance(Duration.ofMillis(3));
        assertThat(released).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        one.store.road(Road.OPEN);
        one.advance(Duration.ofMillis(2_200));
        assertThat(one.store.count(Verb.RENEW)).isZero();
        assertAtRest();
        assertThat(release(lease)).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
    }

    @Test
    void aSecondFailureAtOnceIsUnconfirmed_andTriedAgain() {
        Lease lease = acquired();
        one.store.road(Road.REFUSE, Verb.RELEASE);
        assertThat(release(lease)).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(2);
        one.store.road(Road.OPEN);
        one.advance(Duration.ofMillis(500));
        assertAtRest();
    }

    @Test
    void aClaimThatIsGoneIsLost_withTheCauseThatARenewalIsTold() {
        Lease lease = acquired();
        one.neighbour().administration().forceUnlock("n");
        one.store.road(Road.KEEP_ANSWERS, Verb.RENEW);
        CompletableFuture<ReleaseOutcome> released = release(lease);
        assertThat(released).isNotDone();
        assertThat(one.store.count(Verb.RENEW)).isEqualTo(1);
        one.store.letGo();
        assertThat(released).isCompletedWithValue(ReleaseOutcome.lost(LossCause.FORCED));
        assertAtRest();
    }

    @Test
    void aCauseThatIsNotToldInTimeIsADeletion() {
        Lease lease = acquired();
        one.neighbour().administration().forceUnlock("n");
        one.store.road(Road.LOSE_ANSWERS, Verb.RENEW);
        CompletableFuture<ReleaseOutcome> released = release(lease);
        one.advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        assertThat(released).isNotDone();
        one.advance(Duration.ofMillis(3));
        assertThat(released).isCompletedWithValue(ReleaseOutcome.lost(LossCause.DELETED));
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void aLeaseThatWasLostBeforeSaysSoAtOnce() {
        Lease lease = one.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(1))).join();
        one.advance(Duration.ofSeconds(2));
        assertThat(release(lease)).isCompletedWithValue(ReleaseOutcome.lost(LossCause.EXPIRED));
    }

    @Test
    void aHandOverIsDoneAtOnce_withoutTheStore() {
        Lease lease = acquired();
        CompletableFuture<Lease> next = one.acquire("n", TEN_SECONDS);
        one.store.road(Road.LOSE_REQUESTS);
        assertThat(release(lease)).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(next.join().isValid()).isTrue();
    }

    @Test
    void aWriterThatGoesOverToItsShareIsReleasedWhenOthersMayShare() {
        var lock = one.readWriteLock("n", LockOptions.defaults());
        Lease writer =
                lock.writeLock().acquireAsync(TEN_SECONDS).toCompletableFuture().join();
        Lease share = one.acquireBeside("n", writer, TEN_SECONDS).join();
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<ReleaseOutcome> released = release(writer);
        assertThat(share.isValid()).isTrue();
        assertThat(released).isNotDone();
        one.store.letGo();
        assertThat(released).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(release(share)).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void writersDowngrade_doesNotWaitForASilentStoreForEver() {
        var lock = one.readWriteLock("n", LockOptions.defaults());
        Lease writer =
                lock.writeLock().acquireAsync(TEN_SECONDS).toCompletableFuture().join();
        Lease share = one.acquireBeside("n", writer, TEN_SECONDS).join();
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<ReleaseOutcome> released = release(writer);
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(3));
        assertThat(released).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(share.isValid()).isTrue();
    }
}
