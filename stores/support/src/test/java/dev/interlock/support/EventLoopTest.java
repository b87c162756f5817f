package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventLoopTest {

    private final EventLoop loop = new EventLoop("interlock-test", thread -> false);

    @AfterEach
    void close() {
        loop.close();
    }

    private Thread runner() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.run(() -> thread.complete(Thread.currentThread()));
        return thread.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join();
    }

    /** Runs a task here, as soon as the turn before has ended. */
    private void here(Runnable task) {
        Thread caller = Thread.currentThread();
        CompletableFuture<Boolean> ran = CompletableFuture.completedFuture(false);
        while (!ran.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join()) {
            Thread.onSpinWait();
            CompletableFuture<Boolean> next = new CompletableFuture<>();
            loop.runHere(() -> {
                boolean isHere = Thread.currentThread() == caller;
                if (isHere) {
                    task.run();
                }
                next.complete(isHere);
            });
            ran = next;
        }
    }

    @Test
    void task_runsOnTheThreadOfTheLoop_orHereIfNothingElseDoes() {
        assertThat(runner().getName()).isEqualTo("interlock-test");
        here(() -> assertThat(loop.isCurrent()).isTrue());
    }

    /** The caller has the turn: what comes meanwhile, even from its own task, has the next one elsewhere. */
    @Test
    void taskOfATask_runsAfterIt_onTheThreadOfTheLoop() {
        List<String> order = new ArrayList<>();
        CompletableFuture<Thread> last = new CompletableFuture<>();
        here(() -> {
            loop.runHere(() -> order.add("second"));
            loop.run(() -> last.complete(Thread.currentThread()));
            order.add("first");
        });

        assertThat(last.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join().getName())
                .isEqualTo("interlock-test");
        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void tasks_runOneAfterTheOther_thoseOfAThreadInItsOrder() throws InterruptedException {
        int threads = 4;
        int tasks = 20_000;
        // Not thread-safe: the loop orders the tasks.
        int[] next = new int[threads];
        List<String> wrong = new ArrayList<>();
        boolean[] inside = new boolean[1];
        CountDownLatch done = new CountDownLatch(threads * tasks);
        List<Thread> all = IntStream.range(0, threads)
                .mapToObj(number -> new Thread(() -> {
                    for (int i = 0; i < tasks; i++) {
                        int task = i;
                        Runnable run = () -> {
                            if (inside[0] || !loop.isCurrent() || next[number]++ != task) {
                                wrong.add(number + ": " + task);
                            }
                            inside[0] = true;
                            Thread.onSpinWait();
                            inside[0] = false;
                            done.countDown();
                        };
                        boolean open = i % 3 == 0 ? loop.run(run) : loop.runHere(run);
                        assertThat(open).isTrue();
                    }
                }))
                .toList();
        all.forEach(Thread::start);

        assertThat(done.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        runner();
        assertThat(wrong).isEmpty();
        assertThat(next).containsOnly(tasks);
        assertThat(loop.isCurrent()).isFalse();
    }

    /** Whoever was told that it would run waits for what it does. */
    @Test
    void taskBehindTheEnd_runsStill() {
        List<String> order = new ArrayList<>();
        here(() -> {
            assertThat(loop.run(() -> order.add("second"))).isTrue();
            assertThat(loop.run(() -> {
                        order.add("third");
                        throw new IllegalStateException("expected");
                    }))
                    .isTrue();
            assertThat(loop.run(() -> order.add("fourth"))).isTrue();
            loop.close();
            order.add("first");
        });

        assertThat(order).containsExactly("first", "second", "third", "fourth");
        assertThat(loop.isClosed()).isTrue();
        assertThat(loop.run(() -> order.add("late"))).isFalse();
    }

    @Test
    void tasksThatComeWhileItEnds_run_orAreRefused() throws InterruptedException {
        for (int round = 0; round < 100; round++) {
            EventLoop ending = new EventLoop("interlock-ending", thread -> false);
            AtomicInteger taken = new AtomicInteger();
            AtomicInteger ran = new AtomicInteger();
            List<Thread> all = IntStream.range(0, 3)
                    .mapToObj(number -> new Thread(() -> {
                        for (int i = 0; i < 200; i++) {
                            taken.addAndGet(ending.run(ran::incrementAndGet) ? 1 : 0);
                        }
                    }))
                    .toList();
            all.forEach(Thread::start);
            int first = round;
            while (ran.get() < first % 20) {
                Thread.onSpinWait();
            }
            ending.run(ending::close);
            for (Thread each : all) {
                each.join();
            }
            await().pollDelay(Duration.ZERO).until(() -> ran.get() == taken.get());
        }
    }

    /** Its time has come, but not its turn. */
    @Test
    void timerThatIsCancelledInATurn_doesNotRunAfterIt() {
        Thread thread = runner();
        List<String> ran = new ArrayList<>();
        here(() -> {
            Future<?> timer = loop.later(Duration.ZERO, () -> ran.add("timer"));
            await().until(() -> thread.getState() == Thread.State.WAITING);
            timer.cancel(false);
        });

        runner();
        assertThat(ran).isEmpty();
    }

    @Test
    void timer_runsInATurn() {
        CompletableFuture<Boolean> current = new CompletableFuture<>();
        var unused = loop.later(Duration.ofNanos(1), () -> current.complete(loop.isCurrent()));

        assertThat(current.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join())
                .isTrue();
    }

    @Test
    void taskThatThrows_endsItsTurn() {
        loop.run(() -> {
            throw new IllegalStateException("expected");
        });

        assertThat(runner().getName()).isEqualTo("interlock-test");
    }

    @Test
    void closedLoop_takesNothing() {
        loop.run(loop::close);

        await().until(() -> !loop.run(() -> {}));
        assertThat(loop.runHere(() -> {})).isFalse();
        assertThat(loop.later(Duration.ZERO, () -> {}).isDone()).isFalse();
    }
}
