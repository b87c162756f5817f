package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.barrier.BrokenGenerationException;
import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The barrier: a generation passes for all of its parties, or breaks for all of them and says why. */
interface BarrierContract extends KindsFixture {

    /** How many generations follow each other. */
    int CYCLES = Effort.pick(6, 500);

    /** How often a party gives up while the last one arrives. */
    int GIVEN_UP = Effort.pick(20, 1000);

    /** When it does so at the latest: an arrival takes about as long. */
    long LATEST_NANOS = Duration.ofMillis(8).toNanos();

    /** Barriers of one name, of a client each. */
    private List<DistributedBarrier> barriers(int clients, int parties) {
        String name = clients().name();
        List<DistributedBarrier> barriers = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            barriers.add(DistributedBarrier.of(clients().open(), name, parties));
        }
        return barriers;
    }

    /** Returns when so many parties wait in the first generation of this name, and each has seen those before it. */
    private void awaitParties(String name, List<Caller<Long>> waiting) {
        DistributedLatch gate = clients().open().latch("barrier-gate:0:" + name);
        await("parties wait").pollInterval(Duration.ofMillis(2)).until(() -> {
            // One that has failed says more than one that waits for it.
            waiting.stream().filter(Caller::isDone).forEach(Caller::result);
            return gate.inspect().waiters().size() == waiting.size();
        });
    }

    private DistributedSemaphore arrivals(String name) {
        return clients().open().semaphore("barrier:" + name, 1);
    }

    /** The results of all; the failure of one that fails, for which the others would wait. */
    static <T> List<T> results(List<Caller<T>> callers) {
        await("all return")
                .atMost(Effort.pick(Patience.limit(), Duration.ofMinutes(25)))
                .until(() -> {
                    callers.stream().filter(Caller::isDone).forEach(Caller::result);
                    return callers.stream().allMatch(Caller::isDone);
                });
        return callers.stream().map(Caller::result).toList();
    }

    private static void assertBroken(Caller<Long> caller, Reason reason) {
        assertThat(caller.failure())
                .isInstanceOfSatisfying(BrokenGenerationException.class, failure -> assertThat(failure.reason())
                        .isEqualTo(reason));
    }

    /** Nothing is left of a broken generation, and the next one passes. */
    private void assertNextPasses(List<DistributedBarrier> barriers) {
        List<Caller<Long>> callers =
                barriers.stream().map(each -> Caller.start(each::await)).toList();
        assertThat(results(callers).stream().distinct()).hasSize(1);
        LockStatus rest = arrivals(barriers.get(0).name()).inspect();
        assertThat(rest.holders()).isEmpty();
        assertThat(rest.waiters()).isEmpty();
    }

    @Test
    default void barrier_passes_whenTheLastPartyHasArrived() throws Exception {
        List<DistributedBarrier> all = barriers(3, 3);
        DistributedBarrier looking = all.get(2);
        assertThat(looking.waiting()).isZero();
        assertThat(looking.generation()).isZero();

        List<Caller<Long>> waiting = List.of(Caller.start(all.get(0)::await), Caller.start(all.get(1)::await));
        awaitParties(looking.name(), waiting);
        assertThat(waiting).noneMatch(Caller::isDone);
        assertThat(looking.waiting()).isEqualTo(2);
        assertThat(looking.isBroken()).isFalse();
        long generation = looking.generation();

        assertThat(looking.await()).isEqualTo(generation).isPositive();
        waiting.forEach(each -> assertThat(each.result()).isEqualTo(generation));
        assertThat(looking.waiting()).isZero();
        assertThat(looking.generation()).isZero();
        assertThat(arrivals(looking.name()).inspect().holders()).isEmpty();
    }

    /** Invariant: nobody leaves a generation before all have come, and all agree on the numbers, which grow. */
    @Test
    default void barrier_servesOneGenerationAfterTheOther() {
        int parties = 4;
        List<DistributedBarrier> both = barriers(2, parties);
        AtomicIntegerArray arrived = new AtomicIntegerArray(CYCLES);
        List<Caller<List<Long>>> callers = new ArrayList<>();
        for (int i = 0; i < parties; i++) {
            DistributedBarrier barrier = both.get(i % both.size());
            callers.add(Caller.start(() -> {
                List<Long> generations = new ArrayList<>();
                for (int cycle = 0; cycle < CYCLES; cycle++) {
                    arrived.incrementAndGet(cycle);
                    generations.add(barrier.await());
                    assertThat(arrived.get(cycle)).isEqualTo(parties);
                }
                return generations;
            }));
        }

        List<List<Long>> generations = results(callers).stream().distinct().toList();
        assertThat(generations).hasSize(1);
        assertThat(generations.get(0)).isSorted().doesNotHaveDuplicates();
        assertThat(arrivals(both.get(0).name()).inspect().holders()).isEmpty();
    }

    @Test
    default void barrier_ofOneParty_passesAtOnce() throws Exception {
        DistributedBarrier alone = barriers(1, 1).get(0);

        assertThat(alone.await()).isLessThan(alone.await(LockFixture.NEVER));
    }

    @Test
    default void barrier_partyWhoseTimeIsOver_breaksItForTheOthers() {
        List<DistributedBarrier> all = barriers(3, 3);
        Caller<Long> patient = Caller.start(all.get(0)::await);
        awaitParties(all.get(0).name(), List.of(patient));

        Caller<Long> hasty = Caller.start(() -> all.get(1).await(Duration.ofMillis(30)));

        assertThat(hasty.failure()).isInstanceOf(TimeoutException.class).hasMessageContaining("3 parties");
        // It may have had no time to arrive: then it breaks nothing.
        if (patient.isDone() || all.get(2).isBroken() || all.get(2).waiting() == 0) {
            assertBroken(patient, Reason.TIMED_OUT);
        } else {
            patient.interrupt();
            assertThat(patient.failure()).isInstanceOf(InterruptedException.class);
        }
        assertNextPasses(all);
    }

    @Test
    default void barrier_interruptedParty_breaksIt_andTheOthersLearnWho() {
        List<DistributedBarrier> all = barriers(3, 3);
        Caller<Long> first = Caller.start(all.get(0)::await);
        awaitParties(all.get(0).name(), List.of(first));
        Caller<Long> second = Caller.start(all.get(1)::await);
        awaitParties(all.get(0).name(), List.of(first, second));
        long generation = all.get(2).generation();

        first.interrupt();

        assertThat(first.failure()).isInstanceOf(InterruptedException.class);
        assertBroken(second, Reason.INTERRUPTED);
        BrokenGenerationException broken = (BrokenGenerationException) second.failure();
        assertThat(broken.party().map(Party::pid))
                .contains(ProcessHandle.current().pid());
        assertThat(broken.generation()).isEqualTo(generation);
        assertThat(broken).hasMessageContaining(all.get(0).name()).hasMessageContaining("interrupted");
        assertNextPasses(all);
    }

    /** Invariant: nobody passes a generation that another party takes for broken. */
    @Test
    default void barrier_partyThatGivesUpWhenTheLastArrives_agreesWithIt() {
        List<DistributedBarrier> both = barriers(2, 2);
        for (int round = 0; round < GIVEN_UP; round++) {
            Caller<Long> leaving = Caller.start(both.get(0)::await);
            await().pollInterval(Duration.ofMillis(2)).until(() -> both.get(1).waiting() == 1);
            Caller<Long> last = Caller.start(both.get(1)::await);
            // At another moment of the arrival each time.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LATEST_NANOS));
            leaving.interrupt();

            if (hasPassed(leaving)) {
                assertThat(last.result()).isEqualTo(leaving.result());
            } else {
                // It may have come too late for that generation, and wait alone in the next one.
                await().until(() -> last.isDone() || both.get(0).reset());
                assertThat(last.failure()).isInstanceOf(BrokenGenerationException.class);
            }
        }
    }

    private static boolean hasPassed(Caller<Long> caller) {
        try {
            return caller.result() > 0;
        } catch (AssertionError e) {
            assertThat(e.getCause()).isInstanceOf(InterruptedException.class);
            return false;
        }
    }

    @Test
    default void barrier_stageThatIsCancelled_breaksItForTheOthers() throws Exception {
        assertBroken(stage -> stage.cancel(true));
    }

    @Test
    default void barrier_stageThatIsEndedInAnotherWay_breaksItForTheOthers() throws Exception {
        assertBroken(stage -> stage.orTimeout(1, TimeUnit.NANOSECONDS));
        assertBroken(stage -> stage.complete(1L));
    }

    private void assertBroken(Consumer<CompletableFuture<Long>> givingUp) throws Exception {
        List<DistributedBarrier> all = barriers(2, 3);
        CompletableFuture<Long> stage = all.get(0).awaitAsync().toCompletableFuture();
        awaitParties(all.get(0).name(), List.of(Caller.start(stage::get)));
        CompletableFuture<Long> other = all.get(1).awaitAsync(LockFixture.NEVER).toCompletableFuture();
        awaitParties(all.get(0).name(), List.of(Caller.start(stage::get), Caller.start(other::get)));

        givingUp.accept(stage);

        await().until(other::isDone);
        assertThatThrownBy(other::get)
                .cause()
                .isInstanceOfSatisfying(BrokenGenerationException.class, failure -> assertThat(failure.reason())
                        .isEqualTo(Reason.CANCELLED));
        DistributedBarrier third =
                DistributedBarrier.of(clients().open(), all.get(0).name(), 3);
        assertNextPasses(List.of(all.get(0), all.get(1), third));
    }

    /** What is left of a process that has died: its lease ends, and nobody tells. */
    @Test
    default void barrier_partyWhoseLeaseEnds_breaksItForTheOthers() {
        List<DistributedBarrier> all = barriers(3, 3);
        Caller<Long> dead = Caller.start(all.get(0)::await);
        awaitParties(all.get(0).name(), List.of(dead));
        DistributedSemaphore arrivals = arrivals(all.get(0).name());
        String owner = arrivals.inspect().holders().get(0).owner();
        Caller<Long> living = Caller.start(all.get(1)::await);
        awaitParties(all.get(0).name(), List.of(dead, living));

        assertThat(arrivals.release(owner)).isTrue();

        assertBroken(living, Reason.LEASE_ENDED);
        assertThat(((BrokenGenerationException) living.failure()).party().map(Party::pid))
                .contains(ProcessHandle.current().pid());
        assertBroken(dead, Reason.LEASE_ENDED);
        assertNextPasses(all);
    }

    @Test
    default void barrier_clientThatIsClosed_breaksItForTheOthers() {
        String name = clients().name();
        Interlock closing = clients().open();
        Caller<Long> leaving = Caller.start(DistributedBarrier.of(closing, name, 3)::await);
        awaitParties(name, List.of(leaving));
        Caller<Long> living = Caller.start(DistributedBarrier.of(clients().open(), name, 3)::await);
        awaitParties(name, List.of(leaving, living));

        closing.close();

        assertThat(leaving.failure()).isInstanceOf(IllegalStateException.class);
        assertBroken(living, Reason.LEASE_ENDED);
    }

    /** The others look each second: they may have seen nothing of it but that it was counted. */
    @Test
    default void barrier_partyThatClosesBetweenTwoLooks_breaksIt() {
        List<DistributedBarrier> all = barriers(3, 3);
        Caller<Long> first = Caller.start(all.get(0)::await);
        awaitParties(all.get(0).name(), List.of(first));
        Interlock closing = clients().open();
        Caller<Long> brief =
                Caller.start(DistributedBarrier.of(closing, all.get(0).name(), 3)::await);
        awaitParties(all.get(0).name(), List.of(first, brief));

        closing.close();

        assertThat(brief.failure()).isInstanceOf(IllegalStateException.class);
        assertBroken(first, Reason.LEASE_ENDED);
        assertNextPasses(all);
    }

    @Test
    default void barrier_reset_breaksTheGenerationThatWaits_andNoOther() {
        List<DistributedBarrier> all = barriers(3, 3);
        assertThat(all.get(2).reset()).isFalse();
        List<Caller<Long>> waiting = List.of(Caller.start(all.get(0)::await), Caller.start(all.get(1)::await));
        awaitParties(all.get(0).name(), waiting);

        assertThat(all.get(2).reset()).isTrue();

        waiting.forEach(each -> assertBroken(each, Reason.RESET));
        assertThat(all.get(2).waiting()).isZero();
        assertNextPasses(all);
    }

    @Test
    default void barrier_withOtherParties_isRefused_andLeavesNothing() {
        List<DistributedBarrier> all = barriers(3, 3);
        List<Caller<Long>> waiting = List.of(Caller.start(all.get(0)::await), Caller.start(all.get(1)::await));
        awaitParties(all.get(0).name(), waiting);
        DistributedBarrier other =
                DistributedBarrier.of(clients().open(), all.get(0).name(), 2);

        assertThatThrownBy(other::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has 3 parties")
                .hasMessageContaining("and 2 for this one");

        assertThat(waiting).noneMatch(Caller::isDone);
        assertThat(arrivals(other.name()).inspect().holders()).hasSize(2);
        assertThat(Caller.start(all.get(2)::await).result()).isPositive();
        waiting.forEach(Caller::result);
        assertThat(arrivals(other.name()).inspect().holders()).isEmpty();
    }

    /** A party that hears of no wake looks when others are in the next generation already. */
    @Test
    default void barrier_partyThatLooksLate_learnsThatItsGenerationHasPassed() throws Exception {
        String name = clients().name();
        DistributedBarrier slow = DistributedBarrier.of(deaf(LockFixture.NEVER), name, 2);
        DistributedBarrier quick = DistributedBarrier.of(clients().open(), name, 2);
        Caller<Long> late = Caller.start(slow::await);
        awaitParties(name, List.of(late));
        long first = quick.await();

        Caller<Long> next = Caller.start(quick::await);

        assertThat(late.result()).isEqualTo(first);
        long second = slow.await();
        assertThat(next.result()).isEqualTo(second).isGreaterThan(first);
    }

    /** The names of the parts of two barriers must differ. */
    @Test
    default void barrier_namesWithSpecialCharacters_areApart() throws Exception {
        String name = clients().name();
        List<String> names = List.of(
                name, "0:" + name, "-gate:0:" + name, "{" + name + "}", name + "/../x", "%2F" + name, name + " ';--");
        Interlock client = clients().open();
        List<Caller<Long>> waiting = new ArrayList<>();
        for (String each : names) {
            waiting.add(Caller.start(DistributedBarrier.of(client, each, 2)::await));
        }
        for (String each : names) {
            await().until(() -> DistributedBarrier.of(client, each, 2).waiting() == 1);
        }

        for (String each : names) {
            DistributedBarrier.of(clients().open(), each, 2).await();
        }
        waiting.forEach(Caller::result);
    }

    @Test
    default void barrier_wrongArguments_areRefused_withTheValue() {
        Interlock client = clients().open();
        String name = clients().name();

        assertThatThrownBy(() -> DistributedBarrier.of(client, name, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("0");
        assertThatThrownBy(() -> DistributedBarrier.of(client, "", 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DistributedBarrier.of(client, "x".repeat(500), 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("500 characters");
        assertThatThrownBy(() -> DistributedBarrier.of(client, name, 2, LockFixture.LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("renewing");
    }
}
