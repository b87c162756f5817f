package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DaemonThreadsTest {

    @Test
    void thread_isADaemonWithItsName_andNotStarted() {
        Thread thread = DaemonThreads.create("interlock-x", () -> {});

        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("interlock-x");
        assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
    }

    /** With a limit, the last of them would never run, and nobody would pass the barrier. */
    @Test
    void pool_runsAllTasksAtOnce_andItsThreadsEnd() throws Exception {
        Executor pool = DaemonThreads.pool("interlock-x");
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        CyclicBarrier all = new CyclicBarrier(21);
        for (int i = 0; i < 20; i++) {
            pool.execute(() -> {
                threads.add(Thread.currentThread());
                try {
                    all.await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
        }
        all.await();

        assertThat(threads).hasSize(20).allMatch(Thread::isDaemon);
        assertThat(threads.stream().map(Thread::getName).distinct())
                .hasSize(20)
                .allMatch(name -> name.startsWith("interlock-x-"));
        await().atMost(Duration.ofMinutes(5)).until(() -> threads.stream().noneMatch(Thread::isAlive));
    }
}
