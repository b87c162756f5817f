package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A claim that the store grants while it waits, by the release of the claim before it, on the manual clock. The test
 * does what such a store does. A wake proves nothing, so the claim asks, and finds itself granted. Invariants I2, I6,
 * I8.
 */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineSuccessionTest {

    private static final LockId NAME = LockId.lock("n");
    private static final LockOptions FAIR = LockOptions.builder().fair(true).build();
    private static final Duration SOON = Duration.ofMillis(100);

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();
    private final Lease before = fair(two).join();

    @Test
    void whoIsGrantedWhileItWaits_asks_andHasAllOfItsLease() {
        CompletableFuture<Lease> waiting = waits();
        long fence = succeed(last());
        assertThat(waiting.join().token()).isEqualTo(fence * 1024);
        assertThat(waiting.join().remaining()).isGreaterThan(Duration.ofSeconds(29));
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        waiting.join().close();
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    /** Anybody may publish anything. */
    @Test
    void I2_aWakeWithoutAGrant_costsALook() {
        CompletableFuture<Lease> waiting = waits();
        for (int looks = 2; looks < 5; looks++) {
            tell(last());
            assertThat(waiting).isNotDone();
            assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(looks);
        }
        assertThat(before.isValid()).isTrue();
    }

    /** The message may be quicker than the answer that the claim waits. */
    @Test
    void whatComesBeforeTheAnswer_isAskedForAfterIt() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = fair(one);
        long fence = succeed(last());
        assertThat(waiting).isNotDone();
        one.store.road(Road.OPEN, Verb.ACQUIRE);
        one.store.letGo();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(waiting.join().token()).isEqualTo(fence * 1024);
    }

    @Test
    void I8_whoHasGivenUp_holdsNothing_andHasReleasedIt() {
        CompletableFuture<Lease> waiting = waits();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        waiting.cancel(false);
        one.advance(SOON);
        succeed(last());
        assertThat(one.inspect("n").isLocked()).isTrue();
        one.store.letGo();
        assertThat(one.inspect("n").isLocked()).isFalse();
        one.advance(Duration.ofSeconds(1));
        assertThat(one.isAtRest()).isTrue();
    }

    /**
     * I6: the release finds the claim that the one before has granted, and is executed before the request that was sent
     * earlier, on another connection. So that it was there is not the end.
     */
    @Test
    void I6_aRequestThatIsExecutedAfterTheRelease_leavesNothing() {
        CompletableFuture<Lease> waiting = waits();
        Claim listed = last();
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        while (one.store.count(Verb.ACQUIRE) == 1) {
            one.advance(Duration.ofMillis(1));
        }
        succeed(listed);
        waiting.cancel(false);
        assertThat(one.inspect("n").isLocked()).isFalse();
        one.store.letGo();
        one.advance(Duration.ofSeconds(1));
        assertThat(one.inspect("n").isLocked()).isFalse();
        one.advance(Duration.ofSeconds(30));
        assertThat(one.isAtRest()).isTrue();
    }

    private static CompletableFuture<Lease> fair(Simulation client) {
        return client.lock("n", FAIR).acquireAsync().toCompletableFuture();
    }

    /** Waits in line, and hears of no wake but what the test says. */
    private CompletableFuture<Lease> waits() {
        CompletableFuture<Lease> waiting = fair(one);
        assertThat(waiting).isNotDone();
        one.memory.onWake(wake -> {});
        one.advance(SOON);
        return waiting;
    }

    private Claim last() {
        List<TransitStore.Request> requests = one.store.requests(Verb.ACQUIRE);
        return requests.get(requests.size() - 1).claim();
    }

    /** Grants the claim as it was listed, and wakes its client. */
    private long succeed(Claim claim) {
        one.memory.onWake(wake -> {});
        before.close();
        Attempt attempt = one.memory.acquire(claim).toCompletableFuture().join();
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        tell(claim);
        return ((Attempt.Granted) attempt).fence();
    }

    private void tell(Claim claim) {
        one.core.arbiters().wake(new Wake.Changed(NAME, claim.owner()));
    }
}
