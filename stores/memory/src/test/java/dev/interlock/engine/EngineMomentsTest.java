package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What happens to a name between the end of a lease and the supervisor's next turn, which is late here: whatever comes
 * first ends the lease. That the supervisor sleeps while nothing is due. And what callers of other terms, and the
 * store, get to know. Invariants I4 and I6.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineMomentsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LeaseTerm FIXED = LeaseTerm.fixed(SECOND);

    /** More than the store needs to have forgotten a lease of a second. */
    private static final Duration AFTER = SECOND.plusMillis(1);

    private static final LockOptions LONG_TURNS =
            LockOptions.builder().handOver(1023, Duration.ofMinutes(1)).build();

    private final Simulation one = Simulation.start();
    private final List<String> calls = new ArrayList<>();

    // ---- the end of a lease, noticed without the supervisor

    @Test
    void caller_asksTheStore() {
        one.acquire("n", FIXED).join();
        one.clock.advance(AFTER);
        assertThat(one.acquire("n")).isCompleted();
    }

    @Test
    void wake_letsTheNextCallerAskTheStore() {
        one.acquire("n", FIXED).join();
        CompletableFuture<Lease> next = one.acquire("n");
        one.clock.advance(AFTER);
        assertThat(next).isNotDone();
        one.core.arbiters().wake(new Wake.Changed(LockId.lock("n"), null));
        assertThat(next).isCompleted();
    }

    @Test
    void release_isALoss() {
        Lease renewed = read(LONG_TURNS, LeaseTerm.renewing()).join();
        Lease fixed = read(LONG_TURNS, FIXED).join();
        one.clock.advance(SECOND);
        assertThat(fixed.release().lossCause()).isEqualTo(LossCause.EXPIRED);
        assertThat(renewed.isValid()).isTrue();
    }

    @Test
    void lapse_isALoss() {
        Lease writer = write(FIXED).join();
        one.acquireBeside("n", writer, LeaseTerm.renewing()).join();
        one.advance(SECOND.dividedBy(2));
        one.clock.advance(SECOND);
        assertThat(writer.lapse(SECOND).lossCause()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void revocationRequest_reachesOnlyWhoStillHoldsTheClaim() {
        Lease renewed = read(LONG_TURNS, LeaseTerm.renewing()).join();
        Lease fixed = read(LONG_TURNS, FIXED).join();
        renewed.onRevocationRequested(() -> calls.add("renewed"));
        fixed.onRevocationRequested(() -> calls.add("fixed"));
        one.clock.advance(SECOND);
        one.core.arbiters().wake(new Wake.Requested(one.readWriteId("n"), ownerOf(0)));
        assertThat(calls).containsExactly("renewed");
    }

    @Test
    void id_isRefused() {
        Lease renewed = read(LONG_TURNS, LeaseTerm.renewing()).join();
        Lease fixed = read(LONG_TURNS, FIXED).join();
        one.clock.advance(SECOND);
        assertThatThrownBy(fixed::id).isInstanceOf(LockLostException.class);
        assertThat(renewed.id()).isEqualTo(ownerOf(0).value());
    }

    @Test
    void reduction_isRefused() {
        Lease lease = one.semaphore("n", 3, LockOptions.builder().lease(FIXED).build())
                .acquireAsync(3)
                .toCompletableFuture()
                .join();
        Arbiter arbiter =
                one.core.arbiters().of(new LockId("n", LockKind.SEMAPHORE)).get(0);
        one.clock.advance(SECOND);
        assertThat(arbiter.reduce((EngineLease) lease, 1)).isEqualTo(EngineLease.Issuer.OVER);
    }

    /** The readers of this process need not wait for the writer that has gone over to a share. */
    @Test
    void check_letsInWhoWaits() {
        Lease writer = write(FIXED).join();
        Lease share = one.acquireBeside("n", writer, LeaseTerm.renewing()).join();
        CompletableFuture<Lease> reader = read(LONG_TURNS, LeaseTerm.renewing());
        one.advance(SECOND.dividedBy(2));
        one.clock.advance(SECOND);
        assertThat(reader).isNotDone();
        assertThatThrownBy(writer::ensureValid).isInstanceOf(LockLostException.class);
        assertThat(reader).isCompleted();
        assertThat(share.isValid()).isTrue();
    }

    /** Its readers have left or are over, and it would keep the writers of others out for all of its own lease. */
    @Test
    void claimAside_isReleasedWithItsLastReader() {
        LockOptions turns = LockOptions.defaults();
        Lease renewed = read(turns, LeaseTerm.renewing()).join();
        Lease fixed = read(turns, FIXED).join();
        one.advance(Duration.ofMillis(20));
        read(turns, LeaseTerm.renewing()).join();
        assertThat(one.store.count(Verb.ACQUIRE)).as("claims").isEqualTo(2);
        renewed.close();
        one.advance(SECOND.minusMillis(100));
        assertThat(fixed.isValid()).isTrue();
        assertThat(one.store.count(Verb.RELEASE)).isZero();
        one.advance(Duration.ofMillis(100));
        assertThat(fixed.isValid()).isFalse();
        assertThat(one.store.requests(Verb.RELEASE))
                .singleElement()
                .matches(request -> request.claim().owner().equals(ownerOf(0)));
    }

    // ---- whom a wake is for

    @Test
    void revocationRequest_forAnotherClaim_isNotForThisOne() {
        Lease lease = one.acquire("n").join();
        lease.onRevocationRequested(() -> calls.add("asked"));
        one.core.arbiters().wake(new Wake.Requested(LockId.lock("n"), new OwnerId("another")));
        assertThat(calls).isEmpty();
        one.core.arbiters().wake(new Wake.Requested(LockId.lock("n"), ownerOf(0)));
        assertThat(calls).containsExactly("asked");
    }

    /** The store took the earlier claim off its list when it woke it, and wakes nobody else. */
    @Test
    void wakeOfAnEarlierClaim_isForTheOneAfterIt() {
        assertThat(acquiresAfterAWakeForAnother("n", one.lock("n"))).isOne();
    }

    @Test
    void wakeOfAnotherClaim_isNotForOneInOrder() {
        assertThat(acquiresAfterAWakeForAnother(
                        "n", one.lock("n", LockOptions.builder().fair(true).build())))
                .isZero();
    }

    private int acquiresAfterAWakeForAnother(String name, DistributedLock lock) {
        one.neighbour().acquire(name).join();
        CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
        one.store.forgetRequests();
        one.core.arbiters().wake(new Wake.Changed(LockId.lock(name), new OwnerId("another")));
        assertThat(waiting).isNotDone();
        return one.store.count(Verb.ACQUIRE);
    }

    @Test
    void wakeOfAnotherClaim_isNotForAReader() {
        Simulation two = one.neighbour();
        two.readWriteLock("n", LONG_TURNS).writeLock().acquireAsync();
        CompletableFuture<Lease> reader = read(LONG_TURNS, LeaseTerm.renewing());
        assertThat(reader).isNotDone();
        one.core.arbiters().wake(new Wake.Changed(one.readWriteId("n"), new OwnerId("another")));
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
        one.core.arbiters().wake(new Wake.Changed(one.readWriteId("n"), ownerOf(0)));
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
    }

    // ---- what the supervisor sleeps for

    @Test
    void supervisor_sleepsUntilTheReplyIsDue() {
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        var unused = one.acquire("n");
        assertThat(one.pause()).isEqualTo(Simulation.ATTEMPT_TIMEOUT);
    }

    @Test
    void supervisor_sleepsBetweenTwoRenewals() {
        one.acquire("n").join();
        one.advance(Duration.ofSeconds(12));
        assertThat(one.store.count(Verb.RENEW)).isOne();
        assertThat(one.pause()).isGreaterThan(Duration.ofSeconds(5));
    }

    @Test
    void supervisor_sleepsThroughThePauseAfterAFailure() {
        one.store.road(Road.REFUSE, Verb.ACQUIRE);
        var unused = one.acquire("n");
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
        // Ten milliseconds, less a random quarter.
        assertThat(one.pause()).isBetween(Duration.ofNanos(7_500_000), Duration.ofMillis(10));
    }

    // ---- whose claim it is

    /** The claim was asked for on behalf of one that wanted it for a second, and has left meanwhile. */
    @Test
    void callerWithAnotherTerm_getsAClaimOfItsOwn() {
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Lease> first = one.acquire("n", FIXED);
        CompletableFuture<Lease> second = one.acquire("n");
        first.cancel(false);
        one.store.road(Road.OPEN);
        one.store.letGo();
        assertThat(second.join().remaining()).isGreaterThan(SECOND);
    }

    @Test
    void readersOfAMoment_shareAClaim_thatLastsForTheLongest() {
        read(LONG_TURNS, FIXED).join();
        read(LONG_TURNS, FIXED).join();
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
    }

    // ---- who is told of a loss, and when

    @Test
    void lossCallback_isCalledOnce_whetherItComesBeforeTheLossOrAfter() {
        Lease lease = one.acquire("n", FIXED).join();
        lease.onLost(cause -> calls.add("before"));
        assertThat(calls).isEmpty();
        one.advance(AFTER);
        assertThat(calls).containsExactly("before");
        lease.onLost(cause -> calls.add("after"));
        assertThat(calls).containsExactly("before", "after");
    }

    /** A thread that left with the monitor would stop all others for ever. */
    @Test
    void monitor_isLeftAfterEachLook() {
        one.acquire("n").join();
        Arbiter arbiter = one.core.arbiters().of(LockId.lock("n")).get(0);
        assertThat(arbiter.holderThread(false)).contains(Thread.currentThread().getName());
        assertThat(arbiter.isHeldByCurrentThread()).isFalse();
        one.clock.advance(Duration.ofSeconds(11));
        arbiter.renewEarly(new Renewals(one.core.context().store()));
        assertThat(arbiter.isHeldByCurrentThread()).isFalse();
    }

    // ---- what the store is told

    /** A store that serves in the order of arrival counts from the first request of a claim. */
    @Test
    void eachRequest_saysForHowLongItsCallerHasWaited() {
        one.neighbour().acquire("n").join();
        CompletableFuture<Lease> waiting = one.acquire("n");
        one.advance(Duration.ofSeconds(3));
        assertThat(waiting).isNotDone();
        assertThat(one.store.requests(Verb.ACQUIRE))
                .hasSizeGreaterThan(2)
                .extracting(request -> request.claim().waited())
                .startsWith(Duration.ZERO)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void failureOfTheStore_isTheCauseOfWhatTheCallerGets() {
        one.store.road(Road.REFUSE, Verb.ACQUIRE);
        CompletableFuture<Lease> caller = one.acquire("n");
        one.advance(Simulation.STORE_TIMEOUT.plusSeconds(1));
        assertThatThrownBy(caller::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasRootCauseInstanceOf(IOException.class);
    }

    private CompletableFuture<Lease> read(LockOptions options, LeaseTerm term) {
        DistributedReadWriteLock lock = one.readWriteLock("n", options);
        return lock.readLock().acquireAsync(term).toCompletableFuture();
    }

    private CompletableFuture<Lease> write(LeaseTerm term) {
        DistributedReadWriteLock lock = one.readWriteLock("n", LONG_TURNS);
        return lock.writeLock().acquireAsync(term).toCompletableFuture();
    }

    /** The owner of the claim of this acquire. */
    private OwnerId ownerOf(int acquire) {
        return one.store.requests(Verb.ACQUIRE).get(acquire).claim().owner();
    }
}
