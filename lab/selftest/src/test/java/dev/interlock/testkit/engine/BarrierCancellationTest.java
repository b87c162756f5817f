package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.barrier.BrokenGenerationException;
import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.contract.cancel.FutureWays;
import dev.interlock.testkit.store.SteppingStore;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The walk of cancellation over a barrier. A party has a thread of its own, so a step is the begin or the end of a
 * request of its client. It is given up in each way at each step, as the first party and as the last. Then nobody
 * passes without it, unless the generation had passed, and nothing of it is left.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BarrierCancellationTest {

    private static final Duration LONG = Duration.ofHours(1);

    /** One of the asynchronous methods, and a way to give up what it returns. */
    private record Form(Method method, String way) {

        CompletableFuture<Long> begin(DistributedBarrier barrier) {
            Object[] wait = method.getParameterCount() == 0 ? new Object[0] : new Object[] {LONG};
            try {
                @SuppressWarnings("unchecked")
                var stage = (CompletionStage<Long>) method.invoke(barrier, wait);
                return stage.toCompletableFuture();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String toString() {
            return (method.getParameterCount() == 0 ? "" : "within a wait, ") + way;
        }
    }

    /** Those with a wait in each way; the others are cancelled. */
    private static Stream<Form> forms() {
        return Arrays.stream(DistributedBarrier.class.getMethods())
                .filter(method -> method.getReturnType() == CompletionStage.class)
                .flatMap(method -> FutureWays.ALL.stream()
                        .filter(way -> method.getParameterCount() > 0 || way.equals("cancel"))
                        .map(way -> new Form(method, way)));
    }

    @TestFactory
    Stream<DynamicTest> firstParty_givenUpAtEachStep_letsNobodyPass() {
        return forms().map(form -> DynamicTest.dynamicTest(form.toString(), () -> {
            int at = 0;
            while (isFirstGivenUpOnItsWay(form, at)) {
                at++;
            }
            assertThat(at).as("steps of an arrival").isGreaterThan(20);
        }));
    }

    @TestFactory
    Stream<DynamicTest> lastParty_givenUpAtEachStep_agreesWithTheOther() {
        return forms().map(form -> DynamicTest.dynamicTest(form.toString(), () -> {
            int at = 0;
            while (isLastGivenUpOnItsWay(form, at)) {
                at++;
            }
            assertThat(at).as("steps of an arrival").isGreaterThan(20);
        }));
    }

    /** Whether it took as many steps before it waited. */
    private static boolean isFirstGivenUpOnItsWay(Form form, int at) throws Exception {
        try (Run run = new Run(form, at)) {
            run.begin();
            patiently().until(() -> run.stage().isDone() || run.waits());
            boolean onItsWay = run.stage().isDone();
            run.giveUp();
            run.awaitGone(0);
            try {
                long passed = run.other.await(Duration.ZERO);
                throw new AssertionError("passed generation " + passed + " without the party given up at " + at);
            } catch (TimeoutException e) {
                assertThat(e).hasMessageContaining("2 parties");
            }
            run.awaitGone(0);
            return onItsWay;
        }
    }

    /** Whether it took as many steps before it passed. */
    private static boolean isLastGivenUpOnItsWay(Form form, int at) throws Exception {
        try (Run run = new Run(form, at)) {
            CompletableFuture<Long> waiting = run.other.awaitAsync(LONG).toCompletableFuture();
            patiently().until(run::waits);
            run.generation = run.other.generation();
            run.begin();
            patiently().until(() -> run.stage().isDone());
            boolean onItsWay = run.isGivenUp();
            if (onItsWay) {
                patiently().until(() -> waiting.isDone() || run.isAlone());
            }
            if (run.isAlone()) {
                waiting.cancel(true);
            } else if (isPassed(waiting)) {
                assertThat(!onItsWay || run.passedInTime)
                        .as("passed without the party given up at step %s", at)
                        .isTrue();
            }
            run.awaitGone(0);
            return onItsWay;
        }
    }

    private static ConditionFactory patiently() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    private static boolean isPassed(CompletableFuture<Long> waiting) {
        try {
            return waiting.join() > 0;
        } catch (CompletionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(BrokenGenerationException.class, broken -> assertThat(broken.reason())
                            .isEqualTo(Reason.CANCELLED));
            return false;
        }
    }

    /** One party that is given up, and one that is not. */
    private static final class Run implements AutoCloseable {
        private final MemoryStore store = new MemoryStore();
        private final Interlock client = Interlock.builder(new SteppingStore(store.session(), this::step))
                .build();
        private final Interlock looking = Interlock.builder(store.session()).build();
        private final DistributedBarrier other = DistributedBarrier.of(looking, "b", 2);
        private final DistributedSemaphore arrivals = looking.semaphore("barrier:b", 1);
        private final CompletableFuture<CompletableFuture<Long>> begun = new CompletableFuture<>();
        private final AtomicInteger steps = new AtomicInteger();
        private final Form form;
        private final int at;
        private volatile boolean givenUp;
        private volatile long generation;

        /** Whether the generation had passed when the request was over in which the party was given up. */
        private volatile boolean passedInTime;

        Run(Form form, int at) {
            this.form = form;
            this.at = at;
        }

        void begin() {
            begun.complete(form.begin(DistributedBarrier.of(client, "b", 2)));
        }

        CompletableFuture<Long> stage() {
            return begun.join();
        }

        private void step() {
            if (!Thread.currentThread().getName().startsWith("interlock-barrier")) {
                return;
            }
            int step = steps.getAndIncrement();
            if (step == at && !stage().isDone()) {
                giveUp();
                // The timer's thread, if that has ended the stage, is about to interrupt this one.
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            }
            // A request that had begun is the store's to order.
            if (step <= at + 1) {
                DistributedLatch end = looking.latch("barrier-end:" + generation + ":b");
                // The last party makes the store forget it.
                passedInTime = passedInTime || (generation != 0 && end.count() == 1);
            }
        }

        void giveUp() {
            givenUp = givenUp || !stage().isDone();
            FutureWays.giveUp(stage(), form.way(), 1L);
        }

        boolean isGivenUp() {
            return givenUp;
        }

        /** Whether a party has arrived, looked, and waits at the gate. */
        boolean waits() {
            return !looking.latch("barrier-gate:0:b").inspect().waiters().isEmpty();
        }

        /** Whether the other party waits, and this one has left no claim. */
        boolean isAlone() {
            var status = arrivals.inspect();
            return status.holders().size() == 1 && status.waiters().isEmpty() && other.waiting() == 1;
        }

        void awaitGone(int parties) {
            patiently().untilAsserted(() -> {
                assertThat(arrivals.inspect().holders()).hasSize(parties);
                assertThat(arrivals.inspect().waiters()).isEmpty();
                assertThat(looking.latch("barrier-gate:0:b").inspect().waiters())
                        .isEmpty();
                assertThat(looking.lock("barrier-opening:b").isLocked()).isFalse();
            });
        }

        @Override
        public void close() {
            client.close();
            looking.close();
        }
    }
}
