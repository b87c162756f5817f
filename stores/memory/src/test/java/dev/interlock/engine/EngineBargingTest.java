package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Between a release and the arrival of the first in the queue. Its thread is this one: it comes when the test says so.
 * Invariants I2, I3, I5, I6.
 */
class EngineBargingTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().handOver(1023, Duration.ofMinutes(1)).build();

    private final Simulation client = Simulation.start();
    private final Arbiters arbiters = client.core.arbiters();
    private final BlockedCaller holder = caller(OPTIONS);
    private final BlockedCaller first = caller(OPTIONS);
    private final BlockedCaller second = caller(OPTIONS);
    private final Arbiter arbiter = arbiters.submit(holder);

    @Test
    void theFirstInTheQueueIsCalledAndComes() {
        arbiters.submit(first);
        lease(holder).close();
        assertThat(first.outcome()).isNull();
        comes(first);
        assertThat(lease(first).token()).isGreaterThan(lease(holder).token());
        lease(first).close();
        assertThat(client.store.count(Verb.ACQUIRE)).isEqualTo(1);
        assertThat(client.isAtRest()).isTrue();
    }

    @Test
    void itsThreadIsWoken() throws Exception {
        FutureTask<Boolean> waiting = new FutureTask<>(() -> {
            client.lock("n", OPTIONS).acquire().close();
            return true;
        });
        Thread thread = new Thread(waiting, "first");
        thread.setDaemon(true);
        thread.start();
        await().until(() -> LockSupport.getBlocker(thread) instanceof BlockedCaller);
        lease(holder).close();
        assertThat(waiting.get(5, TimeUnit.MINUTES)).isTrue();
    }

    /** P13: and costs the store nothing. */
    @Test
    void whoeverRunsTakesTheLeaseBeforeItComes() {
        arbiters.submit(first);
        lease(holder).close();
        arbiters.submit(second);
        assertThat(lease(second).token()).isGreaterThan(lease(holder).token());
        assertThat(client.store.count(Verb.ACQUIRE)).isEqualTo(1);
        comes(first);
        assertThat(first.outcome()).as("one at a time").isNull();
    }

    /** I5: whoever was woken for nothing is not again. */
    @Test
    void afterItHasComeInVainTheNextLeaseIsItsOwn() {
        arbiters.submit(first);
        lease(holder).close();
        arbiters.submit(second);
        comes(first);
        lease(second).close();
        assertThat(lease(first).isValid()).isTrue();
        BlockedCaller third = caller(OPTIONS);
        arbiters.submit(third);
        assertThat(third.outcome()).isNull();
    }

    /** I5: even if its thread never wakes up, the lock is its own after so many. */
    @Test
    void itIsOvertakenSoOftenAndNoMore() {
        arbiters.submit(first);
        lease(holder).close();
        for (int i = 0; i < LockPolicy.MOST; i++) {
            assertThat(first.outcome()).isNull();
            BlockedCaller other = caller(OPTIONS);
            arbiters.submit(other);
            lease(other).close();
        }
        assertThat(lease(first).isValid()).isTrue();
    }

    @Test
    void theNextInTheQueueIsCalledInItsTurn() {
        arbiters.submit(first);
        arbiters.submit(second);
        lease(holder).close();
        comes(first);
        assertThat(second.takeSignal()).isFalse();
        lease(first).close();
        comes(second);
        assertThat(lease(second).isValid()).isTrue();
    }

    @Test
    void aFutureIsNotOvertaken() {
        CompletableFuture<Lease> waiting =
                client.lock("n", OPTIONS).acquireAsync().toCompletableFuture();
        lease(holder).close();
        assertThat(waiting).isCompleted();
    }

    @Test
    void aSingleAttemptDoesNotOvertake() {
        arbiters.submit(first);
        lease(holder).close();
        assertThat(client.lock("n", OPTIONS).tryLock()).isFalse();
        comes(first);
        assertThat(lease(first).isValid()).isTrue();
    }

    @Test
    void whoeverWantsAnotherTermDoesNotOvertake() {
        arbiters.submit(first);
        lease(holder).close();
        CompletableFuture<Lease> fixed = client.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(5)));
        assertThat(fixed).isNotDone();
        assertThat(lease(first).isValid()).isTrue();
    }

    @Test
    void ifItGivesUpTheLeaseIsTheNextOnes() {
        arbiters.submit(first);
        arbiters.submit(second);
        lease(holder).close();
        assertThat(arbiter.abandon(first, true, null)).isTrue();
        assertThat(lease(second).isValid()).isTrue();
    }

    /** I6. */
    @Test
    void ifItGivesUpAndNobodyElseWaitsTheClaimGoesBack() {
        arbiters.submit(first);
        lease(holder).close();
        assertThat(arbiter.abandon(first, true, null)).isTrue();
        assertThat(client.store.count(Verb.RELEASE)).isEqualTo(1);
        assertThat(client.isAtRest()).isTrue();
    }

    /** The store has said nothing since it came, and need not: the claim is here. */
    @Test
    void ifItsTimeIsOverItIsRefusedAtOnce() {
        client.advance(Duration.ofMillis(1));
        BlockedCaller late = caller(OPTIONS);
        arbiters.submit(late);
        lease(holder).close();
        assertThat(arbiter.abandon(late, false, null)).isTrue();
        assertThat(late.outcome()).isEqualTo(Outcome.NoLease.REFUSED);
    }

    @Test
    void ifTheLeaseEndsBeforeItComesTheStoreIsAskedAgain() {
        arbiters.submit(first);
        lease(holder).close();
        client.clock.advanceNanos(Duration.ofSeconds(31).toNanos());
        comes(first);
        assertThat(client.store.count(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(lease(first).isValid()).isTrue();
    }

    /** A thread that does not wake up is given it as before: who comes after it has to know who is in the way. */
    @Test
    void ifItDoesNotComeTheSupervisorGivesItTheLease() {
        arbiters.submit(first);
        lease(holder).close();
        client.advance(Duration.ofSeconds(31));
        assertThat(client.store.count(Verb.ACQUIRE)).isEqualTo(1);
        assertThat(lease(first).isValid()).isTrue();
    }

    @Test
    void ifTheTurnIsOverTheClaimIsReplaced() {
        BlockedCaller next =
                caller(LockOptions.builder().handOver(0, Duration.ZERO).build());
        arbiters.submit(next);
        lease(holder).close();
        assertThat(client.store.requests(Verb.ACQUIRE).get(1).claim().replaces())
                .isNotNull();
        assertThat(lease(next).isValid()).isTrue();
    }

    @Test
    void ifTheClientClosesItIsToldAndNothingIsLeft() {
        arbiters.submit(first);
        lease(holder).close();
        arbiter.close();
        assertThat(first.outcome()).isInstanceOfSatisfying(Outcome.Failure.class, failure -> assertThat(failure.cause())
                .isInstanceOf(IllegalStateException.class));
        assertThat(client.inspect("n").isLocked()).isFalse();
    }

    /** A writer that overtakes another would overtake the readers between them. */
    @Test
    void theSidesOfAReadWriteLockKeepToTheOrder() {
        LockId id = new LockId("rw", LockKind.READ_WRITE);
        BlockedCaller writer = caller(id, OPTIONS);
        BlockedCaller next = caller(id, OPTIONS);
        arbiters.submit(writer);
        arbiters.submit(next);
        lease(writer).close();
        assertThat(lease(next).isValid()).isTrue();
    }

    private void comes(BlockedCaller called) {
        assertThat(called.takeSignal()).as("it was called").isTrue();
        assertThat(called.takeSignal()).as("once").isFalse();
        arbiter.onArrival(called);
    }

    private static EngineLease lease(BlockedCaller caller) {
        return (EngineLease) Objects.requireNonNull(caller.outcome(), "has no outcome");
    }

    private BlockedCaller caller(LockOptions options) {
        return caller(LockId.lock("n"), options);
    }

    private BlockedCaller caller(LockId id, LockOptions options) {
        Request request = new Request(id, Mode.exclusive(), options, options.lease());
        return new BlockedCaller(request, false, client.core.context().now(), EngineClock.NEVER);
    }
}
