package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Succession;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A claim that is granted while it waits, on the manual clock. The test does what a store does that offers it.
 * Invariants I2, I4, I7, I8.
 */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineSuccessionTest {

    private static final LockId NAME = LockId.lock("n");
    private static final LockOptions FAIR = LockOptions.defaults().fair();
    private static final Duration PLACE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(100);

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();
    private final Lease before = fair(two, LeaseTerm.renewing()).join();

    @Test
    void whoIsGrantedWhileItWaits_hasTheLease_withoutAsking() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
        long fence = succeed(last());
        assertThat(waiting).isCompleted();
        assertThat(waiting.join().token()).isEqualTo(fence * 1024);
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(1);
        waiting.join().close();
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    /**
     * I4: the store counts from its own grant, which is later than the request; a message may have been on its way for
     * as long as it likes.
     */
    @Test
    void I4_theLeaseEnds_aPlaceAfterTheLastRequest() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
        one.advance(Duration.ofMillis(500));
        one.store.road(Road.LOSE_REQUESTS, Verb.RENEW);
        succeed(last());
        Lease lease = waiting.join();
        assertThat(lease.remaining())
                .isEqualTo(PLACE.multipliedBy(99)
                        .dividedBy(100)
                        .minusMillis(2)
                        .minusMillis(500)
                        .minus(SOON));
        one.advance(Duration.ofMillis(4_347));
        assertThat(lease.isValid()).isTrue();
        one.advance(Duration.ofMillis(2));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void aHoldThatLasts_isSoonRenewed_forAllOfItsTerm() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
        succeed(last());
        one.advance(Duration.ofMillis(149));
        assertThat(one.store.count(Verb.RENEW)).isZero();
        one.advance(Duration.ofMillis(2));
        assertThat(one.store.requests(Verb.RENEW))
                .singleElement()
                .extracting(request -> request.claim().lease())
                .isEqualTo(Duration.ofSeconds(30));
        assertThat(waiting.join().remaining()).isGreaterThan(Duration.ofSeconds(29));
        one.advance(Duration.ofSeconds(9));
        assertThat(one.store.count(Verb.RENEW)).as("then as ever").isEqualTo(1);
    }

    @Test
    void aShortHold_costsNoRenewal() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
        succeed(last());
        one.advance(SOON);
        waiting.join().close();
        one.advance(Duration.ofSeconds(1));
        assertThat(one.store.count(Verb.RENEW)).isZero();
    }

    /** A lease that is no longer than a place in the list is renewed as any of its length. */
    @Test
    void aShortLease_isRenewedAfterAThird() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing(Duration.ofSeconds(3)));
        succeed(last());
        assertThat(waiting.join().remaining()).isLessThan(Duration.ofSeconds(3));
        one.advance(Duration.ofMillis(800));
        assertThat(one.store.count(Verb.RENEW)).isZero();
        one.advance(Duration.ofMillis(150));
        assertThat(one.store.count(Verb.RENEW)).isEqualTo(1);
    }

    /** What was said of an earlier request says nothing of the time of this one. */
    @Test
    void anEarlierRequestsTicket_isAHint() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
        Claim first = last();
        one.advance(Simulation.POLL_CAP);
        assertThat(last().ticket()).isNotEqualTo(first.ticket());
        int asked = one.store.count(Verb.ACQUIRE);
        long fence = succeed(first);
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(asked + 1);
        assertThat(waiting.join().token()).isEqualTo(fence * 1024);
        assertThat(waiting.join().remaining()).isGreaterThan(Duration.ofSeconds(29));
    }

    /** Anybody may publish anything. */
    @Test
    void whoHasNoTicket_isNotGrantedByWhateverIsSaid() {
        CompletableFuture<Lease> plain = one.acquire("n");
        assertThat(last().ticket()).isZero();
        tell(last(), 1, 0);
        assertThat(plain).isNotDone();
        assertThat(one.store.count(Verb.ACQUIRE)).as("it asks").isEqualTo(2);
    }

    @Test
    void ofALeaseThatIsHalfOver_itAsksForAll() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing(Duration.ofSeconds(1)));
        one.advance(Duration.ofMillis(450));
        int asked = one.store.count(Verb.ACQUIRE);
        Claim claim = last();
        succeed(claim);
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(asked + 1);
        assertThat(waiting.join().remaining()).isGreaterThan(Duration.ofMillis(950));
    }

    /** All of a fixed lease begins with the grant. */
    @Test
    void aFixedTerm_hasNoTicket() {
        assertThat(waits(LeaseTerm.fixed(Duration.ofSeconds(10)))).isNotDone();
        assertThat(last().ticket()).isZero();
    }

    /** The message may be quicker than the answer that the claim waits. */
    @Test
    void whatComesBeforeTheAnswer_isAHint() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = fair(one, LeaseTerm.renewing());
        long fence = succeed(last());
        assertThat(waiting).isNotDone();
        one.store.road(Road.OPEN, Verb.ACQUIRE);
        one.store.letGo();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(waiting.join().token()).isEqualTo(fence * 1024);
    }

    @Test
    void I8_whoHasGivenUp_holdsNothing_andHasReleasedIt() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
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
     * I6: the release finds the claim that the succession has granted, and is executed before the request that was sent
     * earlier, on another connection. So that it was there is not the end.
     */
    @Test
    void I6_aRequestThatIsExecutedAfterTheRelease_leavesNothing() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
        Claim listed = last();
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        while (last().ticket() == listed.ticket()) {
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

    @Test
    void aFenceThatMakesNoToken_isAHint() {
        CompletableFuture<Lease> waiting = waits(LeaseTerm.renewing());
        Claim asked = last();
        before.close();
        tell(asked, 1L << 54, asked.ticket());
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(waiting.join().token()).isPositive();
    }

    private static CompletableFuture<Lease> fair(Simulation client, LeaseTerm term) {
        return client.lock("n", FAIR).acquireAsync(term).toCompletableFuture();
    }

    /** Waits in line, and hears of no wake but what the test says. */
    private CompletableFuture<Lease> waits(LeaseTerm term) {
        CompletableFuture<Lease> waiting = fair(one, term);
        assertThat(waiting).isNotDone();
        one.memory.onWake(wake -> {});
        one.advance(SOON);
        return waiting;
    }

    private Claim last() {
        List<TransitStore.Request> requests = one.store.requests(Verb.ACQUIRE);
        return requests.get(requests.size() - 1).claim();
    }

    /**
     * What the release of the one before does in a store that offers it: grants the claim as it was listed, and says
     * so.
     */
    private long succeed(Claim claim) {
        one.memory.onWake(wake -> {});
        before.close();
        Attempt attempt = one.memory.acquire(claim).toCompletableFuture().join();
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        long fence = ((Attempt.Granted) attempt).fence();
        tell(claim, fence, claim.ticket());
        return fence;
    }

    private void tell(Claim claim, long fence, long ticket) {
        one.core.arbiters().wake(Wake.granted(NAME, claim.owner(), new Succession(fence, ticket, PLACE)));
    }
}
