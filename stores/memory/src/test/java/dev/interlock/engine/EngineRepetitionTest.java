package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Request;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A connection that was idle is found to be broken by the first request on it, of which nobody knows whether it was
 * executed. The request is repeated once.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineRepetitionTest {

    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));
    private static final Duration PAUSE = Duration.ofMillis(11);

    private final Simulation one = Simulation.start();

    private CompletableFuture<Optional<Lease>> once() {
        return one.lock("n").tryAcquireAsync().toCompletableFuture();
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSE_ONCE", "BREAK_ONCE"})
    void P09_aSingleAttemptIsRepeatedByAnotherOwner(Road road) {
        one.store.road(road, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> once = once();
        assertThat(once).isNotDone();
        one.advance(PAUSE);
        Lease lease = once.join().orElseThrow();
        assertThat(one.store.requests(Verb.ACQUIRE))
                .extracting(request -> request.claim().owner())
                .hasSize(2)
                .doesNotHaveDuplicates();
        lease.close();
        assertThat(one.inspect("n").isLocked()).isFalse();
        one.advance(Duration.ofMinutes(1));
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void P10_aSingleAttemptThatFailsTwiceSaysSo() {
        one.store.road(Road.REFUSE);
        CompletableFuture<Optional<Lease>> once = once();
        one.advance(PAUSE);
        assertThat(once.handle((lease, e) -> e).join()).isInstanceOf(StoreUnavailableException.class);
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
    }

    /** A store that fails late, for example because others keep its rows locked, would fail late once more. */
    @Test
    void aSingleAttemptThatFailsLateIsNotRepeated() {
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> once = once();
        one.advance(Simulation.ATTEMPT_TIMEOUT.dividedBy(2));
        one.store.failKept();
        assertThat(once.handle((lease, e) -> e).join()).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aReleaseIsRepeatedAtOnceAndConfirmed() {
        Lease lease = one.acquire("n", LONG).join();
        one.store.road(Road.REFUSE_ONCE, Verb.RELEASE);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.store.requests(Verb.RELEASE)).extracting(Request::claim).hasSize(2);
        assertThat(one.isAtRest()).isTrue();
    }

    /** The claim is not there any more when it is released once more: that is no loss. */
    @Test
    void P02_executedReleaseThatIsRepeated_isNeitherConfirmedNorLost() {
        Lease lease = one.acquire("n", LONG).join();
        one.store.road(Road.BREAK_ONCE, Verb.RELEASE);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNCONFIRMED);
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.store.count(Verb.RENEW)).isZero();
        assertThat(one.isAtRest()).isTrue();
    }

    /** The repetition has the time of the first request, not one of its own. */
    @Test
    void P10_aRepeatedReleaseThatIsNotAnsweredEndsInTheTimeOfOne() {
        Lease lease = one.acquire("n", LONG).join();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> outcome = lease.releaseAsync().toCompletableFuture();
        one.advance(Simulation.ATTEMPT_TIMEOUT.dividedBy(2));
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        one.store.failKept();
        one.advance(Simulation.ATTEMPT_TIMEOUT.dividedBy(2).plusMillis(1));
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.UNCONFIRMED);
    }
}
