package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.QueuedAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SerialExecutorTest {

    private static final Duration GUARD = Duration.ofMinutes(5);

    private final AtomicInteger ended = new AtomicInteger();
    private final SerialExecutor executor =
            new SerialExecutor("interlock-test", Duration.ofHours(1), ended::incrementAndGet);

    @AfterEach
    void close() {
        executor.close();
    }

    @Test
    void requests_runInTheirOrder_onOneDaemonThread() {
        // Not thread-safe: the executor orders the requests.
        List<Integer> order = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        List<QueuedAnswer<Integer>> answers = IntStream.range(0, 1000)
                .mapToObj(i -> executor.<Integer>submit(answer -> {
                    order.add(i);
                    threads.add(Thread.currentThread());
                    answer.complete(i);
                }))
                .toList();

        answers.forEach(QueuedAnswer::join);
        assertThat(order).isEqualTo(IntStream.range(0, 1000).boxed().toList());
        assertThat(threads)
                .allMatch(thread -> thread.isDaemon() && thread.getName().equals("interlock-test"));
        assertThat(threads.stream().distinct()).hasSize(1);
    }

    @Test
    void awaitedEnd_comesAfterTheLastAction_orAfterTheLimit() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        QueuedAnswer<Integer> running = executor.submit(answer -> {
            begun.countDown();
            goOn.await();
            // On its own thread it would wait for itself.
            executor.awaitEnd(GUARD);
            answer.complete(1);
        });
        begun.await();
        executor.close();

        executor.awaitEnd(Duration.ofMillis(1));
        assertThat(ended).hasValue(0);
        Thread.currentThread().interrupt();
        executor.awaitEnd(GUARD);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ended).hasValue(0);
        goOn.countDown();
        executor.awaitEnd(GUARD);

        assertThat(ended).hasValue(1);
        assertThat(running.join()).isEqualTo(1);
    }

    @Test
    void failureOfARequest_isItsAnswer_andTheNextOneRuns() {
        QueuedAnswer<String> exception = executor.submit(answer -> {
            throw new java.io.IOException("broken");
        });
        QueuedAnswer<String> error = executor.submit(answer -> {
            throw new LinkageError("no driver");
        });

        assertThatThrownBy(exception::join)
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("broken");
        assertThatThrownBy(error::join).isInstanceOf(CompletionException.class).hasRootCauseMessage("no driver");
        assertThat(executor.<Integer>submit(answer -> answer.complete(1)).join())
                .isEqualTo(1);
    }

    @Test
    void cancelledOrWithdrawnRequest_doesNotRun() {
        CountDownLatch release = block();
        AtomicInteger ran = new AtomicInteger();
        QueuedAnswer<Integer> cancelled = executor.submit(answer -> ran.incrementAndGet());
        QueuedAnswer<Integer> withdrawn = executor.submit(answer -> ran.incrementAndGet());
        cancelled.cancel(false);
        assertThat(withdrawn.withdraw()).isTrue();

        release.countDown();
        executor.<Integer>submit(answer -> answer.complete(1)).join();
        assertThat(ran).hasValue(0);
    }

    @Test
    void closing_failsWhatHasNotStarted_butNotWhatRuns() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        QueuedAnswer<String> running = executor.submit(answer -> {
            begun.countDown();
            release.await();
            answer.complete("done");
        });
        join(begun);
        QueuedAnswer<String> waiting = executor.submit(answer -> answer.complete("late"));

        executor.close();
        assertThat(executor.isClosed()).isTrue();
        assertThat(executor.execute(() -> {})).isFalse();
        QueuedAnswer<String> late = executor.submit(answer -> answer.complete("late"));
        release.countDown();

        assertThat(running.join()).isEqualTo("done");
        for (QueuedAnswer<String> refused : List.of(waiting, late)) {
            assertThatThrownBy(refused::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage("The store is closed");
        }
        await().atMost(GUARD).until(() -> ended.get() == 1);
    }

    @Test
    void idleThread_ends_andTheNextRequestStartsAnother() {
        try (SerialExecutor brief =
                new SerialExecutor("interlock-test", Duration.ofMillis(1), ended::incrementAndGet)) {
            Thread first = brief.<Thread>submit(answer -> answer.complete(Thread.currentThread()))
                    .join();
            await().atMost(GUARD).until(() -> !first.isAlive());

            assertThat(ended).hasValue(1);
            assertThat(brief.<Thread>submit(answer -> answer.complete(Thread.currentThread()))
                            .join())
                    .isNotSameAs(first);
        }
    }

    @Test
    void executorWithoutRequests_hasNoThread() {
        executor.close();

        assertThat(ended).hasValue(0);
    }

    private CountDownLatch block() {
        CountDownLatch release = new CountDownLatch(1);
        assertThat(executor.execute(() -> join(release))).isTrue();
        return release;
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
