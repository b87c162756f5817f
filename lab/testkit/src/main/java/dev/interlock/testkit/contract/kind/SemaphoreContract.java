package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The semaphore. */
interface SemaphoreContract extends KindsFixture {

    /** The lease of a holder that crashes. */
    Duration CRASHED = Duration.ofSeconds(1);

    /** How often each thread comes and goes. */
    int ROUNDS = Effort.pick(20, 2_000);

    private List<DistributedSemaphore> semaphores(int clients, int capacity) {
        String name = clients().name();
        List<DistributedSemaphore> semaphores = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            semaphores.add(clients().open().semaphore(name, capacity));
        }
        return semaphores;
    }

    private static CompletableFuture<Lease> queue(DistributedSemaphore semaphore, int permits, int place) {
        CompletableFuture<Lease> waiting = semaphore.acquireAsync(permits).toCompletableFuture();
        KindsFixture.awaitWaiters(semaphore::inspect, place);
        return waiting;
    }

    @Tag(Effort.SCALED)
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    default void semaphore_neverHasMoreHoldersThanPermits() {
        List<DistributedSemaphore> semaphores = semaphores(3, 4);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            DistributedSemaphore semaphore = semaphores.get(i % semaphores.size());
            int permits = 1 + i % 2;
            callers.add(Caller.startAction(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    try (Lease lease = semaphore.acquire(permits)) {
                        most.accumulateAndGet(inside.addAndGet(permits), Math::max);
                        assertThat(lease.isValid()).isTrue();
                        inside.addAndGet(-permits);
                    }
                }
            }));
        }
        callers.forEach(Caller::loopResult);

        assertThat(most.get()).isBetween(2, 4);
        // A claim that stood in line for nobody any more may have been granted, and is on its way back.
        await().untilAsserted(
                        () -> assertThat(semaphores.get(0).availablePermits()).isEqualTo(4));
    }

    @Test
    default void semaphore_takesAllPermitsOfARequest_orNone() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 5);

        Lease two = both.get(0).acquire(2);
        assertThat(both.get(1).tryAcquire(4)).isEmpty();
        assertThat(both.get(1).availablePermits()).isEqualTo(3);
        Lease three = both.get(1).tryAcquire(3).orElseThrow();

        assertThat(both.get(0).tryAcquire()).isEmpty();
        assertThat(both.get(0).inspect().holders())
                .extracting(holder -> holder.mode())
                .containsExactlyInAnyOrder(new Mode.Permits(2, 5), new Mode.Permits(3, 5));
        two.close();
        three.close();
        assertThat(both.get(0).availablePermits()).isEqualTo(5);
    }

    /** In order, small requests never overtake a large one that came before. */
    @Test
    default void fairSemaphore_largeRequest_isNotOvertaken() throws Exception {
        KindsFixture.inOrder(places -> {
            String name = clients().name();
            List<DistributedSemaphore> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Interlock client = clients().open(places.around(clients().store()), b -> b);
                both.add(client.semaphore(
                        name, 3, LockOptions.builder().fair(true).build()));
            }
            Lease one = both.get(0).acquire(1);
            CompletableFuture<Lease> large = queue(both.get(1), 3, 1);
            CompletableFuture<Lease> small = queue(both.get(0), 1, 2);

            assertThat(both.get(0).tryAcquire()).isEmpty();
            assertThat(small).isNotDone();
            one.close();
            Lease got = KindsFixture.first(List.of(large, small));
            assertThat(small).isNotDone();
            got.close();
            KindsFixture.get(small).close();
        });
    }

    /** What passes on inside a process does so for a turn only. */
    @Test
    default void semaphore_largeRequest_isNotStarved() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 3);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger small = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            callers.add(Caller.startAction(() -> {
                while (!over.get()) {
                    both.get(0).acquire().close();
                    small.incrementAndGet();
                }
            }));
        }
        await("permits come and go").until(() -> small.get() > 20);

        KindsFixture.get(both.get(1).acquireAsync(3)).close();

        over.set(true);
        callers.forEach(Caller::result);
        await("nothing is left").until(() -> both.get(0).availablePermits() == 3);
    }

    /** Two that ask for four of five: one gets them, and then the other. */
    @Test
    default void P20_twoThatWantMostOfIt_areServedInTurn() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<DistributedSemaphore> both = semaphores(2, 5);
            CompletableFuture<Lease> first = both.get(0).acquireAsync(4).toCompletableFuture();
            CompletableFuture<Lease> second = both.get(1).acquireAsync(4).toCompletableFuture();

            CompletableFuture.anyOf(first, second).get(Patience.seconds(), TimeUnit.SECONDS);
            CompletableFuture<Lease> winner = first.isDone() ? first : second;
            CompletableFuture<Lease> loser = first.isDone() ? second : first;
            KindsFixture.awaitWaiters(both.get(0)::inspect, 1);
            assertThat(loser).isNotDone();
            winner.join().close();
            KindsFixture.get(loser).close();
        }
    }

    @Test
    default void P20_permitsOfACrashedHolder_comeBackWithItsLease() throws Exception {
        outliveACrashedHolder(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P20_permitsOfACrashedHolder_comeBackInTime() throws Exception {
        outliveACrashedHolder(CRASHED.plusSeconds(1));
    }

    private void outliveACrashedHolder(Duration limit) throws Exception {
        DistributedSemaphore semaphore = semaphores(1, 3).get(0);
        StoreClient crashed = clients().raw();
        LockId id = new LockId(semaphore.name(), LockKind.SEMAPHORE);
        try (Stopwatch watch = new Stopwatch()) {
            crashed.granted(crashed.claim(id, CRASHED).inMode(new Mode.Permits(3, 3)));
            semaphore.acquire(3).close();
            assertThat(watch.elapsed()).isGreaterThan(CRASHED.minus(StoreClient.RESOLUTION));
            watch.assertAtMost(limit, "permits of a crashed holder");
        }
    }

    @Test
    default void semaphore_grown_letsWaitersIn() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 1);
        Lease one = both.get(0).acquire();
        CompletableFuture<Lease> waiting = queue(both.get(1), 1, 1);

        both.get(0).resize(2);

        Lease two = KindsFixture.get(waiting);
        assertThat(both.get(1).capacity()).isEqualTo(2);
        one.close();
        two.close();
    }

    @Test
    default void semaphore_shrunk_takesNothingAway_andGivesNothingOut() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 3);
        Lease two = both.get(0).acquire(2);

        both.get(1).resize(1);

        assertThat(two.isValid()).isTrue();
        assertThat(both.get(0).availablePermits()).isEqualTo(-1);
        assertThat(both.get(1).tryAcquire()).isEmpty();
        two.close();
        try (Lease one = both.get(1).acquire()) {
            assertThat(one.isValid()).isTrue();
            assertThat(both.get(0).tryAcquire()).isEmpty();
        }
    }

    @Test
    default void semaphore_someOfSeveralPermits_comeBack() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 5);
        Lease five = both.get(0).acquire(5);
        CompletableFuture<Lease> waiting = queue(both.get(1), 2, 1);

        both.get(0).release(five, 2);

        Lease two = KindsFixture.get(waiting);
        assertThat(five.isValid()).isTrue();
        five.extend(Duration.ofMinutes(1));
        assertThat(both.get(0).inspect().holders())
                .extracting(LockStatus.Holder::mode)
                .containsExactlyInAnyOrder(new Mode.Permits(3, 5), new Mode.Permits(2, 5));
        assertThatThrownBy(() -> both.get(0).release(five, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThat(both.get(1).availablePermits()).isZero();
        both.get(0).release(five, 1);
        both.get(0).release(five, 2);
        assertThat(five.isValid()).isFalse();
        assertThat(both.get(1).availablePermits()).isEqualTo(3);
        assertThatThrownBy(() -> both.get(0).release(five, 1)).isInstanceOf(IllegalStateException.class);
        two.close();
        assertThat(both.get(1).availablePermits()).isEqualTo(5);
    }

    @Test
    default void semaphore_somePermitsOfALostLease_areNotReturned() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 3);
        Lease ended = both.get(0).acquire(2);
        Interlock operator = clients().open();
        operator.administration()
                .forceUnlock(operator.administration().inspect(ended.name()).get(0));
        Lease all = both.get(1).acquire(3);

        assertThatThrownBy(() -> both.get(0).release(ended, 1))
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossCause())
                        .isEqualTo(LossCause.FORCED));

        assertThat(both.get(1).availablePermits()).isZero();
        all.close();
    }

    /** Requests to return permits may overtake each other, and come after the end: none of them gives permits back. */
    @Test
    default void semaphore_returnedPermits_areNotTakenAgain_byALateRequest() throws Exception {
        StoreClient store = clients().raw();
        LockId id = new LockId(clients().name(), LockKind.SEMAPHORE);
        Claim claim = store.claim(id, Duration.ofMinutes(5)).inMode(new Mode.Permits(4, 4));
        long fence = store.granted(claim);

        store.executed(BlockingClient.command(claim, new Command.KeepPermits(1)));
        store.executed(BlockingClient.command(claim, new Command.KeepPermits(3)));

        DistributedSemaphore semaphore = clients().open().semaphore(id.name(), 4);
        assertThat(semaphore.availablePermits()).isEqualTo(3);
        assertThat(semaphore.inspect().holders())
                .extracting(LockStatus.Holder::token)
                .containsExactly(Attempt.token(fence));
        store.release(claim);
        store.refused(BlockingClient.command(claim, new Command.KeepPermits(1)));
        assertThat(semaphore.inspect().holders()).isEmpty();
        assertThat(semaphore.inspect().waiters()).isEmpty();
    }

    @Test
    default void semaphore_permitsOfAnotherClient_areReleasedByTheirId() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 3);
        Lease two = both.get(0).acquire(2);
        DistributedSemaphore elsewhere = semaphores(1, 3).get(0);
        String id = two.id();
        assertThat(both.get(1).inspect().holders())
                .extracting(LockStatus.Holder::owner)
                .containsExactly(id);

        assertThat(elsewhere.release(id)).isFalse();
        assertThat(both.get(1).availablePermits()).isEqualTo(1);
        assertThat(both.get(1).release(id)).isTrue();

        assertThat(both.get(1).availablePermits()).isEqualTo(3);
        assertThat(both.get(1).release(id)).isFalse();
        assertThat(two.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
    }

    @Test
    default void semaphore_addedPermits_addUp_andLetWaitersIn() throws Exception {
        List<DistributedSemaphore> all = semaphores(3, 1);
        Lease one = all.get(0).acquire();
        CompletableFuture<Lease> waiting = queue(all.get(1), 1, 1);
        List<CompletableFuture<Void>> adding = new ArrayList<>();
        for (DistributedSemaphore each : all) {
            adding.add(each.addPermitsAsync(2).toCompletableFuture());
        }
        for (CompletableFuture<Void> each : adding) {
            each.get(Patience.seconds(), TimeUnit.SECONDS);
        }

        Lease two = KindsFixture.get(waiting);
        assertThat(all.get(0).capacity()).isEqualTo(7);
        all.get(1).addPermits(-4);
        assertThat(all.get(2).capacity()).isEqualTo(3);
        assertThat(all.get(2).availablePermits()).isEqualTo(1);
        assertThatThrownBy(() -> all.get(2).addPermits(-3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> all.get(2).addPermits(Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThat(all.get(2).capacity()).isEqualTo(3);
        all.get(0).resizeAsync(2).toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
        assertThat(all.get(1).availablePermits()).isZero();
        one.close();
        two.close();
    }

    /** The store's answer may be lost: the client repeats the request. */
    @Test
    default void semaphore_permitsThatAreAddedAgain_countOnce() throws Exception {
        StoreClient store = clients().raw();
        DistributedSemaphore semaphore = semaphores(1, 3).get(0);
        LockId id = new LockId(semaphore.name(), LockKind.SEMAPHORE);
        Claim day = store.claim(id, Duration.ofDays(1));
        Claim nextDay = store.claim(id, Duration.ofDays(1));
        Command first = BlockingClient.command(day, new Command.AddPermits(2, 3));
        Command second = BlockingClient.command(nextDay, new Command.AddPermits(-1, 3));

        store.executed(first);
        store.executed(second);
        store.executed(first);
        store.executed(second);

        assertThat(semaphore.capacity()).isEqualTo(4);
        assertThat(semaphore.inspect().holders()).isEmpty();
    }

    @Test
    default void semaphore_drain_takesWhatIsFree() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 4);
        Lease one = both.get(0).acquire();

        Lease rest = both.get(1).drain().orElseThrow();

        assertThat(both.get(0).availablePermits()).isZero();
        assertThat(both.get(0).drain()).isEmpty();
        one.close();
        rest.close();
    }

    /** Each takes what the store lets it have; whoever was given another number than the others ends all the same. */
    @Test
    default void semaphore_drain_ends_whereNumbersDiffer() throws Exception {
        String name = clients().name();
        Lease four = clients().open().semaphore(name, 8).acquire(4);

        Optional<Lease> drained = clients().open().semaphore(name, 3).drain();

        drained.ifPresent(Lease::close);
        four.close();
    }

    @Test
    default void semaphore_tokensGrow() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 2);
        long last = 0;
        for (int i = 0; i < 10; i++) {
            try (Lease lease = both.get(i % 2).acquire()) {
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
            }
        }
    }

    @Test
    default void semaphore_whoGivesUp_leavesNothing() throws Exception {
        DistributedSemaphore semaphore = semaphores(1, 1).get(0);
        Lease held = semaphore.acquire();
        CompletableFuture<Lease> waiting = queue(semaphore, 1, 1);

        assertThat(LockFixture.answer(() -> semaphore.tryAcquire(1, Duration.ofMillis(20))))
                .isEmpty();
        waiting.cancel(true);

        KindsFixture.awaitWaiters(semaphore::inspect, 0);
        held.close();
        await().until(() -> semaphore.availablePermits() == 1);
    }

    @Test
    default void semaphore_permitsEndedByForce_areFree_andTheHolderIsTold() throws Exception {
        List<DistributedSemaphore> both = semaphores(2, 3);
        Interlock operator = clients().open();
        Lease ended = both.get(0).acquire(2);
        LockStatus seen = operator.administration().inspect(ended.name()).get(0);
        Lease later = both.get(1).acquire(1);

        assertThat(operator.administration().forceUnlock(seen)).isTrue();

        try (Lease next = both.get(1).acquire(2)) {
            assertThat(ended.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
            assertThat(next.isValid()).isTrue();
            assertThat(later.isValid()).isTrue();
        }
        later.close();
        assertThat(operator.administration().forceUnlock(seen)).isFalse();
    }

    /** A rate: permits that are left come back when their time is over, and not before. */
    @Test
    default void semaphore_permitsLeftToLapse_comeBackAtTheirTime() throws Exception {
        LockStore store = clients().store();
        DistributedSemaphore semaphore =
                clients().open(store, b -> b).semaphore(clients().name(), 3);
        DistributedSemaphore other = clients().open().semaphore(semaphore.name(), 3);
        Lease two = semaphore.acquire(2);
        if (!store.capabilities().contains(Capability.LAPSE)) {
            assertThatThrownBy(() -> two.lapse(CRASHED)).isInstanceOf(UnsupportedOperationException.class);
            return;
        }
        long left = System.nanoTime();

        assertThat(two.lapse(CRASHED)).isEqualTo(ReleaseOutcome.RELEASED);

        LockFixture.assertLeft(other.inspect(), left, CRASHED);
        try (Lease third = other.acquire(1);
                Lease both = other.acquire(2)) {
            assertThat(System.nanoTime() - left).isGreaterThanOrEqualTo(CRASHED.toNanos());
            assertThat(both.token()).isGreaterThan(two.token());
            assertThat(third.isValid()).isTrue();
        }
        assertThat(other.availablePermits()).isEqualTo(3);
    }
}
