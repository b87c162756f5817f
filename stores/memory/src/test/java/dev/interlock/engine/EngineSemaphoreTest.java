package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits that pass on inside the process, and the bounds of that. Invariants I5 to I8. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineSemaphoreTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int MANY = 300;
    private static final LockOptions UNBOUNDED =
            LockOptions.builder().handOver(1023, LONG).build();

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();

    @Test
    void permitsPassOnInTheOrderOfArrival_withoutTheStore() {
        DistributedSemaphore semaphore = one.semaphore("n", 2, UNBOUNDED);
        List<CompletableFuture<Lease>> callers = callers(semaphore, 20, 1);
        assertThat(holding(callers)).isEqualTo(2);
        one.store.forgetRequests();

        for (int i = 0; i < 18; i++) {
            callers.get(i).join().close();
            assertThat(callers.get(i + 2)).as("caller " + (i + 2)).isCompleted();
            assertThat(semaphore.availablePermits()).isZero();
        }

        assertThat(one.store.count(Verb.ACQUIRE)).isZero();
        assertThat(one.store.count(Verb.RELEASE)).as("the claim that waited").isEqualTo(1);
        callers.get(18).join().close();
        callers.get(19).join().close();
        assertThat(callers.stream().map(caller -> caller.join().token())).doesNotHaveDuplicates();
        assertAtRest();
    }

    /** What was set by {@code resize} is the capacity, whatever the object was made with, in every way to acquire. */
    @Test
    void aSemaphoreThatWasResizedHasAsManyPermits() {
        DistributedSemaphore semaphore = one.semaphore("n", 2, UNBOUNDED);
        assertThatThrownBy(() -> semaphore.tryAcquire(5)).hasMessageContaining("from 1 to its capacity, 2: 5");
        semaphore.resize(10);
        assertThat(semaphore.capacity()).isEqualTo(10);
        CompletableFuture<Lease> five = semaphore.acquireAsync(5).toCompletableFuture();
        assertThat(five).isCompleted();
        assertThat(semaphore.availablePermits()).isEqualTo(5);
        five.join().close();
        assertThat(semaphore
                        .tryAcquireAsync(10, Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .isPresent();
        assertThat(semaphore.availablePermits()).isZero();
        assertThatThrownBy(() -> semaphore.tryAcquire(11)).hasMessageContaining("from 1 to its capacity, 10: 11");
        assertThat(semaphore
                        .acquireAsync(11)
                        .toCompletableFuture()
                        .handle((lease, e) -> e)
                        .join())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 1 to its capacity, 10: 11");
    }

    /** Whoever gives up before it is known whether there are so many leaves nothing behind. */
    @Test
    void anAcquisitionOfManyPermitsThatIsCancelledLeavesNothing() {
        DistributedSemaphore semaphore = one.semaphore("n", 2, UNBOUNDED);
        semaphore.resize(10);
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> five = semaphore.acquireAsync(5).toCompletableFuture();
        assertThat(five.cancel(false)).isTrue();
        one.store.letGo();
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(20));
        assertThat(semaphore.availablePermits()).isEqualTo(10);
    }

    /** As long as the store may have permits, nobody waits for another's answer. */
    @Test
    void callersAskSideBySide() {
        DistributedSemaphore semaphore = one.semaphore("n", 5, UNBOUNDED);
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        List<CompletableFuture<Lease>> callers = callers(semaphore, 5, 1);

        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(5);
        one.store.letGo();

        assertThat(holding(callers)).isEqualTo(5);
        callers.forEach(caller -> caller.join().close());
        assertAtRest();
    }

    /** Callers that the store has told that there are no permits wait together, in the order of arrival. */
    @Test
    void callersThatAskSideBySide_andFindNoPermits_lineUp() {
        DistributedSemaphore semaphore = one.semaphore("n", 5, UNBOUNDED);
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        List<CompletableFuture<Lease>> callers = callers(semaphore, MANY, 1);
        one.store.road(Road.OPEN);
        one.store.letGo();
        assertThat(holding(callers)).isEqualTo(5);
        assertThat(semaphore.inspect().waiters()).hasSize(1);

        for (int i = 0; i < MANY - 5; i++) {
            callers.get(i).join().close();
            assertThat(callers.get(i + 5)).as("caller " + (i + 5)).isCompleted();
        }
        callers.subList(MANY - 5, MANY).forEach(caller -> caller.join().close());
        assertAtRest();
    }

    /** The answer that there are no permits is for those who asked; one who came meanwhile stands behind them. */
    @Test
    void callerThatComesWhileOthersAsk_doesNotOvertakeThem() {
        DistributedSemaphore theirs = two.semaphore("n", 1, UNBOUNDED);
        Lease taken = theirs.acquireAsync(1).toCompletableFuture().join();
        DistributedSemaphore semaphore = one.semaphore("n", 1, UNBOUNDED);
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        List<CompletableFuture<Lease>> asking = callers(semaphore, 2, 1);
        one.store.letGo(1);
        one.advance(Duration.ofMillis(1), two);
        CompletableFuture<Lease> later = callers(semaphore, 1, 1).get(0);
        one.store.letGo();
        one.store.road(Road.OPEN);
        assertThat(semaphore.inspect().waiters()).hasSize(1);

        taken.close();
        asking.get(0).join().close();
        assertThat(asking.get(1)).isCompleted();
        assertThat(later).isNotDone();
        asking.get(1).join().close();
        later.join().close();
        assertAtRest();
    }

    /** Who gives up when it asks, and is told that there are no permits, is not in the line. */
    @Test
    void callerThatGivesUpWhileItAsks_isInNoLine() {
        DistributedSemaphore theirs = two.semaphore("n", 1, UNBOUNDED);
        Lease taken = theirs.acquireAsync(1).toCompletableFuture().join();
        DistributedSemaphore semaphore = one.semaphore("n", 1, UNBOUNDED);
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> first = callers(semaphore, 1, 1).get(0);
        CompletableFuture<Lease> cancelled = callers(semaphore, 1, 1).get(0);
        CompletableFuture<Optional<Lease>> timed =
                semaphore.tryAcquireAsync(1, Simulation.LATE).toCompletableFuture();
        cancelled.cancel(false);
        one.advance(Simulation.LATE.multipliedBy(2), two);
        assertThat(timed).isNotDone();
        one.store.letGo();
        assertThat(timed).isCompletedWithValue(Optional.empty());
        one.store.road(Road.OPEN);

        taken.close();
        first.join().close();
        one.advance(LONG, two);
        assertAtRest();
    }

    /** An interrupt ends the wait of a thread, wherever it finds it. */
    @Test
    void threadsThatLineUp_areInterruptedAndServed() throws Exception {
        Simulation client = Simulation.patient();
        DistributedSemaphore semaphore = client.semaphore("n", 1, UNBOUNDED);
        Lease taken = semaphore.acquireAsync(1).toCompletableFuture().join();
        client.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        List<FutureTask<Lease>> tasks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            FutureTask<Lease> task = new FutureTask<>(() -> semaphore.acquire());
            Thread thread = new Thread(task);
            thread.start();
            int sent = i + 2;
            Patience.await().until(() -> client.store.count(Verb.ACQUIRE) == sent);
            tasks.add(task);
            threads.add(thread);
        }
        client.store.road(Road.OPEN);
        client.store.letGo();
        threads.get(1).interrupt();
        assertThatThrownBy(() -> tasks.get(1).get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        taken.close();
        tasks.get(0).get(30, TimeUnit.SECONDS).close();
        tasks.get(2).get(30, TimeUnit.SECONDS).close();
        assertThat(client.isAtRest()).isTrue();
    }

    /** Who polls with timed attempts has no older place in the line than who comes and stays. */
    @Test
    void theTimeOfThoseWhoGaveUp_isNoPlaceInTheLine() {
        DistributedSemaphore ours = one.semaphore("n", 2, UNBOUNDED);
        Lease kept = ours.acquireAsync(1).toCompletableFuture().join();
        DistributedSemaphore theirs = two.semaphore("n", 2, UNBOUNDED);
        Lease taken = theirs.acquireAsync(1).toCompletableFuture().join();
        assertThat(ours.tryAcquireAsync(1, Duration.ofMillis(100)).toCompletableFuture())
                .isNotDone();
        one.advance(LONG, two);
        Simulation three = one.neighbour();
        CompletableFuture<Lease> first =
                three.semaphore("n", 2, UNBOUNDED).acquireAsync(1).toCompletableFuture();
        one.advance(Duration.ofMillis(100), two, three);
        CompletableFuture<Lease> second = ours.acquireAsync(1).toCompletableFuture();

        taken.close();

        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        first.join().close();
        kept.close();
    }

    /** I5: another client's turn comes after the bound, though callers of ours have waited longer. */
    @Test
    void othersInTheStoreGetTheirTurn() {
        DistributedSemaphore ours =
                one.semaphore("n", 1, LockOptions.builder().handOver(1, LONG).build());
        List<CompletableFuture<Lease>> callers = callers(ours, 4, 1);
        CompletableFuture<Lease> theirs =
                callers(two.semaphore("n", 1, UNBOUNDED), 1, 1).get(0);

        callers.get(0).join().close();
        assertThat(callers.get(1)).isCompleted();
        callers.get(1).join().close();
        // The claim of the third stood in line before theirs.
        assertThat(callers.get(2)).isCompleted();
        callers.get(2).join().close();
        callers.get(3).join().close();
        assertThat(theirs).isCompleted();
        theirs.join().close();
        assertAtRest();
    }

    @Test
    void afterTheTimeOfATurn_permitsGoBackToTheStore() {
        LockOptions tenMillis =
                LockOptions.builder().handOver(1023, Duration.ofMillis(10)).build();
        DistributedSemaphore ours = one.semaphore("n", 1, tenMillis);
        List<CompletableFuture<Lease>> callers = callers(ours, 3, 1);
        one.advance(Duration.ofMillis(9));
        callers.get(0).join().close();
        assertThat(one.store.count(Verb.RELEASE)).isZero();
        one.advance(Duration.ofMillis(1));

        callers.get(1).join().close();

        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        assertThat(callers.get(2)).isCompleted();
        assertThat(callers.get(2).join().token() / 1024)
                .isGreaterThan(callers.get(1).join().token() / 1024);
        callers.get(2).join().close();
        assertAtRest();
    }

    /** Small requests do not starve a large one of the same process. */
    @Test
    void aLargeRequestInFront_isNotOvertaken() {
        DistributedSemaphore semaphore = one.semaphore("n", 3, UNBOUNDED);
        List<CompletableFuture<Lease>> holders = callers(semaphore, 3, 1);
        CompletableFuture<Lease> large = callers(semaphore, 1, 3).get(0);
        CompletableFuture<Lease> small = callers(semaphore, 1, 1).get(0);

        holders.get(0).join().close();
        holders.get(1).join().close();
        assertThat(large).isNotDone();
        assertThat(small).isNotDone();
        holders.get(2).join().close();

        assertThat(large).isCompleted();
        assertThat(small).isNotDone();
        large.join().close();
        small.join().close();
        assertAtRest();
    }

    /** When the one in front gives up, the claim in line is not for what the next one wants. */
    @Test
    void whoComesAfterALargeRequestThatGaveUp_isServed() {
        DistributedSemaphore semaphore = one.semaphore("n", 3, UNBOUNDED);
        List<CompletableFuture<Lease>> holders = callers(semaphore, 2, 1);
        CompletableFuture<Lease> large = callers(semaphore, 1, 3).get(0);
        CompletableFuture<Lease> small = callers(semaphore, 1, 1).get(0);
        assertThat(small).isNotDone();

        large.cancel(false);

        assertThat(small).isCompleted();
        small.join().close();
        holders.forEach(holder -> holder.join().close());
        assertAtRest();
    }

    /** A store may be able to give a few permits, and never so many at once. */
    @Test
    void aLargeRequestThatTheStoreRefuses_endsAlone() {
        DistributedSemaphore semaphore = one.semaphore("n", 3, UNBOUNDED);
        Lease holder = callers(semaphore, 1, 3).get(0).join();
        List<CompletableFuture<Lease>> large = callers(semaphore, 2, 3);
        CompletableFuture<Lease> small = callers(semaphore, 1, 1).get(0);
        one.store.refuse(claim -> claim.mode().equals(new Mode.Permits(3, 3)));
        one.advance(LONG);
        holder.close();
        one.advance(LONG);

        assertThat(large).allSatisfy(caller -> assertThat(caller).isCompletedExceptionally());
        assertThat(small).isCompletedWithValueMatching(Lease::isValid);
        small.join().close();
        assertAtRest();
    }

    /** The answer was for a large request whose caller left while it was on its way. */
    @Test
    void aGrantForAnotherSize_isGivenBack() {
        DistributedSemaphore semaphore = one.semaphore("n", 3, UNBOUNDED);
        Lease holder = callers(semaphore, 1, 3).get(0).join();
        CompletableFuture<Lease> large = callers(semaphore, 1, 2).get(0);
        CompletableFuture<Lease> small = callers(semaphore, 1, 1).get(0);
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        holder.close();
        large.cancel(false);
        one.store.road(Road.OPEN);
        one.store.letGo();

        assertThat(small).isCompleted();
        assertThat(one.store.requests(Verb.ACQUIRE))
                .as("no store replaces a claim for permits")
                .allMatch(request -> request.claim().replaces() == null);
        assertThat(semaphore.availablePermits()).isEqualTo(2);
        small.join().close();
        assertAtRest();
    }

    /** P15: whoever never lets go does not keep others of the process out for longer than its lease. */
    @Test
    void permitsWhoseLeaseIsOver_areNotPassedOn() {
        LockOptions second = UNBOUNDED.toBuilder()
                .lease(LeaseTerm.fixed(Duration.ofSeconds(1)))
                .build();
        Lease stuck = callers(one.semaphore("n", 1, second), 1, 1).get(0).join();
        CompletableFuture<Lease> next =
                callers(one.semaphore("n", 1, UNBOUNDED), 1, 1).get(0);

        one.advance(Duration.ofMillis(1_100));

        assertThat(stuck.isValid()).isFalse();
        assertThat(next).isCompleted();
        assertThat(next.join().token() / 1024).isGreaterThan(stuck.token() / 1024);
        next.join().close();
        assertAtRest();
    }

    private static List<CompletableFuture<Lease>> callers(DistributedSemaphore semaphore, int count, int permits) {
        List<CompletableFuture<Lease>> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            callers.add(semaphore.acquireAsync(permits).toCompletableFuture());
        }
        return callers;
    }

    private static int holding(List<CompletableFuture<Lease>> callers) {
        return (int) callers.stream().filter(CompletableFuture::isDone).count();
    }

    @Test
    void reduction_countsAtOnce_andNeverGivesBackAll() {
        EngineLease lease = (EngineLease)
                callers(one.semaphore("n", 3, UNBOUNDED), 1, 3).get(0).join();
        assertThat(lease.reduce(1)).isEqualTo(2);
        assertThat(lease.life().claim().mode()).isEqualTo(new Mode.Permits(2, 3));
        assertThat(lease.reduce(2)).as("all of them: that is a release").isZero();
        assertThatThrownBy(() -> lease.reduce(3)).isInstanceOf(IllegalArgumentException.class);
        assertThat(lease.life().claim().mode()).isEqualTo(new Mode.Permits(2, 3));
        lease.close();
        assertThatThrownBy(() -> lease.reduce(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void reduction_isForPermits() {
        EngineLease lease = (EngineLease) one.acquire("n").join();
        Arbiter arbiter = one.core.arbiters().of(LockId.lock("n")).get(0);
        assertThat(arbiter.reduce(lease, 1)).isEqualTo(EngineLease.Issuer.OVER);
    }

    /** Who makes a single attempt does not line up, and leaves no line behind either. Criterion P22. */
    @Test
    void P22_aSingleAttempt_leavesNothingBehind() {
        DistributedSemaphore semaphore = one.semaphore("n", 1, UNBOUNDED);
        Lease held = semaphore.tryAcquire().orElseThrow();
        assertThat(semaphore.tryAcquire()).isEmpty();
        held.close();

        assertAtRest();
    }

    /** A store in memory answers at once: each answer leads to the next request, and none deeper into the stack. */
    @Test
    void permitsThatGetFreeAtOnce_goToThousandsOfCallers() {
        int callers = 4_000;
        DistributedSemaphore semaphore = one.semaphore("n", 1, UNBOUNDED);
        Lease held = semaphore.tryAcquire().orElseThrow();
        List<CompletableFuture<Lease>> waiting = callers(semaphore, callers, 1);
        assertThat(holding(waiting)).isZero();

        semaphore.addPermits(callers);

        assertThat(holding(waiting)).isEqualTo(callers);
        waiting.forEach(caller -> caller.join().close());
        held.close();
        assertThat(one.isAtRest()).isTrue();
    }

    private void assertAtRest() {
        assertThat(one.isAtRest()).isTrue();
        assertThat(two.isAtRest()).isTrue();
        assertThat(one.semaphore("n", 9, UNBOUNDED).availablePermits()).isEqualTo(9);
    }
}
