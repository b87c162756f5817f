package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class RunDelaysTest {

    /** More threads that compute than there are processors: somebody has to queue for one. */
    @Test
    void threadsThatFindNoProcessor_areDelayed() throws InterruptedException {
        Duration each = Duration.ofMillis(60);
        RunDelays delays = new RunDelays();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(4 * Runtime.getRuntime().availableProcessors());
        for (long i = done.getCount(); i > 0; i--) {
            threads.add(new Thread(() -> {
                awaitQuietly(go);
                long until = System.nanoTime() + each.toNanos();
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                done.countDown();
                awaitQuietly(looked);
            }));
        }
        threads.forEach(Thread::start);
        go.countDown();
        done.await();

        assertThat(delays.ofACall()).isGreaterThan(Duration.ofMillis(10));
        looked.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
