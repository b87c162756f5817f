package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.Party;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Request;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The watchdog on the manual clock. Invariants I4, I6. */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineRenewalTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration QUICK = Duration.ofMillis(600);

    private final Simulation one = Simulation.start();

    @Test
    void renewsEveryThirdOfTheLeaseForAsLongAsItIsHeld() {
        Lease lease = one.acquire("n").join();
        one.advance(Duration.ofMinutes(10));
        assertThat(lease.isValid()).isTrue();
        assertThat(one.store.count(Verb.RENEW)).isBetween(59, 63);
        lease.close();
        one.store.forgetRequests();
        one.advance(Duration.ofMinutes(1));
        assertThat(one.store.count(Verb.RENEW))
                .as("P04: none after the release")
                .isZero();
        assertThat(one.isAtRest()).isTrue();
    }

    @Test
    void claimsThatFallDueTogetherShareOneRequest() {
        for (int i = 0; i < 100; i++) {
            one.acquire("n" + i).join();
            one.advance(Duration.ofMillis(20));
        }
        one.advance(Duration.ofSeconds(12));
        List<Request> renewals = one.store.requests(Verb.RENEW);
        assertThat(renewals).hasSize(1);
        assertThat(renewals.get(0).claims()).hasSize(100);
    }

    /** A twelfth of its own lease, whatever the others have: for less, one request more is no price. */
    @Test
    void aClaimThatIsDueMuchLaterIsNotRenewedWithTheOthers() {
        one.acquire("n", LeaseTerm.renewing(LEASE)).join();
        one.advance(Duration.ofMillis(5_400));
        one.acquire("two seconds later", LeaseTerm.renewing(Duration.ofSeconds(20)))
                .join();
        one.advance(Duration.ofSeconds(5));
        assertThat(one.store.requests(Verb.RENEW))
                .flatExtracting(Request::claims)
                .extracting(claim -> claim.id().name())
                .containsExactly("n");
    }

    /** A store divides a request among its servers at best, and answers it as a whole. */
    @Test
    void aRequestHasABoundedNumberOfClaims() {
        for (int i = 0; i < 800; i++) {
            one.acquire("n" + i).join();
        }
        one.advance(Duration.ofSeconds(12));
        assertThat(one.store.requests(Verb.RENEW))
                .extracting(request -> request.claims().size())
                .containsExactly(384, 384, 32);
    }

    /**
     * B6: at most one request for 100 leases and period, in a client that does other things too: its sweeps must not
     * tear the batches apart.
     */
    @Test
    void tenThousandLeasesCostAHundredRequestsAPeriod() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            leases.add(one.acquire("n" + i).join());
            one.advance(Duration.ofMillis(1));
        }
        one.advance(LEASE);
        one.store.forgetRequests();
        int periods = 3;
        for (int i = 0; i < periods * 100; i++) {
            one.acquire("other").join().close();
            one.core.context().supervisor().arm(one.core.context().now());
            one.advance(LEASE.dividedBy(300));
        }
        assertThat(one.store.count(Verb.RENEW)).isLessThanOrEqualTo(periods * 100);
        assertThat(leases).allMatch(Lease::isValid);
    }

    /** Where one thread sends all, the requests of thousands of leases and callers wait for their turn. */
    @Test
    void aRenewalInLineIsNotGivenUp_whileTheStoreAnswersOthers() {
        Told told = new Told();
        Simulation client = Simulation.start(told);
        client.store.keepsALine();
        holdInLine(client);
        for (int i = 0; i < 50; i++) {
            client.acquire("other").join().close();
            client.advance(Duration.ofMillis(100));
        }
        assertThat(told.failures).isEmpty();
        assertThat(client.store.count(Verb.RENEW)).as("none was sent twice").isEqualTo(3);
        client.store.letGo();
        assertThat(told.renewed).hasValue(800);
    }

    /** A line that does not move is a silent store, which the holders are to learn. */
    @Test
    void aRenewalInLineIsGivenUp_whileTheStoreAnswersNobody() {
        Told told = new Told();
        Simulation client = Simulation.start(told);
        client.store.keepsALine();
        holdInLine(client);
        client.advance(Duration.ofSeconds(1));
        assertThat(told.failures).hasSizeGreaterThanOrEqualTo(800);
        // The requests are given up in any order.
        assertThat(told.failures)
                .extracting(Throwable::getMessage)
                .allMatch(message -> message.contains("the store did not answer within "))
                .anyMatch(message -> message.startsWith("Could not renew 384 claims, such as lock 'n"));
    }

    /** Nobody was paused: the store has answered others for all of the lease. */
    @Test
    void P01_leaseWhoseRenewalQueuesToItsEnd_isLostByTheStore() {
        List<LossCause> told = new ArrayList<>();
        one.store.keepsALine();
        Lease lease = one.acquire("n").join();
        lease.onLost(told::add);
        one.store.road(Road.KEEP_REQUESTS, Verb.RENEW);
        for (int i = 0; i < 300; i++) {
            one.acquire("other").join().close();
            one.advance(Duration.ofMillis(100));
        }
        assertThat(told).containsExactly(LossCause.STORE_UNREACHABLE);
    }

    private static void holdInLine(Simulation client) {
        for (int i = 0; i < 800; i++) {
            client.acquire("n" + i).join();
        }
        client.store.road(Road.KEEP_REQUESTS, Verb.RENEW);
        client.advance(Duration.ofSeconds(9));
        while (client.store.count(Verb.RENEW) == 0) {
            client.advance(Duration.ofMillis(10));
        }
        assertThat(client.store.count(Verb.RENEW)).isEqualTo(3);
    }

    /** What an observer hears of renewals. */
    private static final class Told implements LockObserver {

        final AtomicInteger renewed = new AtomicInteger();
        final List<StoreUnavailableException> failures = new ArrayList<>();

        @Override
        public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
            return null;
        }

        @Override
        public void renewed(String name, String owner) {
            renewed.incrementAndGet();
        }

        @Override
        public void renewalFailed(String name, String owner, Duration remaining, StoreUnavailableException failure) {
            failures.add(failure);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Road.class,
            names = {"LOSE_REQUESTS", "LOSE_ANSWERS", "REFUSE", "KEEP_ANSWERS"})
    void P01_aStoreThatDoesNotAnswerEndsTheLeaseAtItsDeadline(Road road) {
        List<LossCause> told = new ArrayList<>();
        Lease lease = one.acquire("n").join();
        lease.onLost(told::add);
        one.store.road(road, Verb.RENEW);
        one.advance(Duration.ofMillis(29_697));
        assertThat(lease.isValid()).isTrue();
        assertThat(told).isEmpty();
        one.advance(Duration.ofMillis(3));
        assertThat(lease.isValid()).isFalse();
        assertThat(told).containsExactly(LossCause.STORE_UNREACHABLE);
        one.store.letGo();
        one.advance(Duration.ofMinutes(1));
        assertThat(told).as("once, and for ever").hasSize(1);
        assertThat(one.isAtRest()).isTrue();
    }

    /** A tenth of the lease is the longest pause between two tries, so the store must answer for that long. */
    @Test
    void P04_oneAnswerInALeaseIsEnough() {
        Lease lease = one.acquire("n").join();
        for (int i = 0; i < 20; i++) {
            one.store.road(Road.LOSE_REQUESTS, Verb.RENEW);
            one.advance(Duration.ofSeconds(25));
            one.store.road(Road.OPEN, Verb.RENEW);
            one.advance(Duration.ofMillis(3_500));
            assertThat(lease.isValid()).as("round " + i).isTrue();
        }
    }

    /**
     * A store that is slow, and always answers: what is asked again and again before it can answer would never be
     * answered.
     */
    @Test
    void P04_aStoreThatAnswersLateLosesNothing() {
        Lease lease = one.acquire("n").join();
        answerEachRenewalAfter(10, Duration.ofMillis(100), 1_200);
        assertThat(lease.isValid()).isTrue();
    }

    /**
     * Every reply takes a quarter of the lease. A renewal that is given up after a sixth, however often it is repeated,
     * would never work; but the grant has shown how long a reply takes.
     */
    @Test
    void P04_aStoreThatIsSlowFromTheBeginningLosesNothing() {
        one.store.road(Road.KEEP_ANSWERS);
        CompletableFuture<Lease> acquired = one.acquire("n", LeaseTerm.renewing(QUICK));
        one.advance(QUICK.dividedBy(4));
        one.store.letGo();
        Lease lease = acquired.join();
        answerEachRenewalAfter(15, QUICK.dividedBy(60), 6_000);
        assertThat(lease.isValid()).isTrue();
    }

    /** The answer to each arrives so many steps after it was sent. */
    private void answerEachRenewalAfter(int late, Duration step, int steps) {
        one.store.road(Road.KEEP_ANSWERS, Verb.RENEW);
        List<Integer> sent = new ArrayList<>();
        int answered = 0;
        for (int i = 0; i < steps; i++) {
            sent.add(one.store.count(Verb.RENEW));
            int due = sent.get(Math.max(0, i - late));
            one.store.letGo(due - answered);
            answered = due;
            one.advance(step);
        }
    }

    /** Control of the test above: one slow reply among quick ones, long ago, makes no renewal more patient. */
    @Test
    void storeThatWasSlowOnce_isNotWaitedForLonger() {
        one.store.road(Road.KEEP_ANSWERS);
        CompletableFuture<Lease> acquired = one.acquire("n", LeaseTerm.renewing(QUICK));
        one.advance(QUICK.dividedBy(4));
        one.store.letGo();
        one.store.road(Road.OPEN);
        Lease lease = acquired.join();
        one.advance(QUICK.multipliedBy(20));
        one.store.forgetRequests();

        one.store.road(Road.LOSE_REQUESTS, Verb.RENEW);
        for (int i = 0; one.store.count(Verb.RENEW) == 0; i++) {
            assertThat(i).as("hundredths of a second").isLessThan(100);
            one.advance(Duration.ofMillis(10));
        }
        one.advance(QUICK.dividedBy(6).plusMillis(20));

        assertThat(one.store.count(Verb.RENEW)).as("given up, and sent again").isEqualTo(2);
        assertThat(lease.isValid()).isTrue();
    }

    /** What a short lease has no time for is not asked for in its request. */
    @Test
    void P05_aShortLeaseDoesNotHurryALongOne() {
        Lease quick =
                one.acquire("quick", LeaseTerm.renewing(Duration.ofSeconds(1))).join();
        Lease patient = one.acquire("patient").join();
        one.advance(Duration.ofMinutes(1));
        assertThat(one.store.requests(Verb.RENEW))
                .extracting(request -> request.claims().size())
                .containsOnly(1);
        assertThat(List.of(quick, patient)).allMatch(Lease::isValid);
    }

    /** B6: what goes out often takes none of the others along early, each by itself. */
    @Test
    void aShortLeaseDoesNotTearTheBatchesOfLongOnesApart() {
        one.acquire("quick", LeaseTerm.renewing(Duration.ofSeconds(1))).join();
        for (int i = 0; i < 100; i++) {
            one.acquire("n" + i).join();
            one.advance(Duration.ofMillis(90));
        }
        one.advance(LEASE);
        one.store.forgetRequests();
        int periods = 6;
        one.advance(LEASE.dividedBy(3).multipliedBy(periods));
        assertThat(one.store.requests(Verb.RENEW))
                .filteredOn(request -> request.claim().lease().equals(LEASE))
                .hasSizeLessThanOrEqualTo(5 * periods);
    }

    /** Whose answer is missed is waited for longer: who goes with it would be kept from being extended for as long. */
    @Test
    void aClaimWithoutAnAnswerTakesNobodyAlong() {
        one.acquire("troubled").join();
        one.advance(Duration.ofSeconds(5));
        one.acquire("well").join();
        one.store.road(Road.LOSE_REQUESTS, Verb.RENEW);
        // The next renewal of the second is due a tenth of a second later.
        one.advance(Duration.ofMillis(9_900));
        assertThat(one.store.requests(Verb.RENEW))
                .hasSizeGreaterThan(1)
                .allSatisfy(request -> assertThat(request.claims()).hasSize(1));
    }

    @Test
    void failedRenewalsAreRepeatedWithPauses() {
        Lease lease = one.acquire("n").join();
        one.store.road(Road.REFUSE, Verb.RENEW);
        one.advance(Duration.ofMillis(29_690));
        assertThat(lease.isValid()).isTrue();
        // 10, 20, 40 ... 2560 ms, then every 3 s, over the last two thirds of 30 s.
        assertThat(one.store.count(Verb.RENEW)).isBetween(12, 18);
    }

    @Test
    void oneClaimThatIsGoneIsLostAndTheOthersOfItsBatchAreNot() {
        Lease kept = one.acquire("kept").join();
        List<LossCause> told = new ArrayList<>();
        Lease gone = one.acquire("gone").join();
        gone.onLost(told::add);
        OwnerId owner = new OwnerId(one.inspect("gone").holders().get(0).owner());
        Claim claim = Claim.of(LockId.lock("gone"), owner, LEASE, Party.UNKNOWN);
        assertThat(one.memory.release(claim).toCompletableFuture().join()).isTrue();
        one.advance(Duration.ofSeconds(11));
        assertThat(told).containsExactly(LossCause.DELETED);
        assertThat(kept.isValid()).isTrue();
    }

    @Test
    void aFixedLeaseIsNotRenewed() {
        one.acquire("n", LeaseTerm.fixed(LEASE)).join();
        one.advance(Duration.ofSeconds(29));
        assertThat(one.store.count(Verb.RENEW)).isZero();
    }
}
