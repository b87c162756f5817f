package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Effort;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thread is interrupted when its write ends: what it does next is not. Planted: an interrupt without the monitor, of
 * a thread that was there a moment ago.
 */
@Tag(Effort.SCALED)
class InterruptionRacesTest {

    private volatile @Nullable Interruption present;
    private volatile boolean over;
    private final AtomicLong interrupts = new AtomicLong();

    @Test
    void interruptAtTheEnd_isForTheWrite_orForNobody() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            begun.countDown();
            while (!over) {
                Interruption known = present;
                if (known != null) {
                    known.now();
                    interrupts.incrementAndGet();
                }
            }
        });
        other.setDaemon(true);
        other.start();
        begun.await();
        int late = 0;
        for (int i = 0; i < Effort.pick(300_000, 10_000_000) || interrupts.get() == 0; i++) {
            Interruption own = new Interruption();
            present = own;
            own.close();
            late += Thread.interrupted() ? 1 : 0;
        }
        over = true;
        other.join();

        assertThat(late)
                .as("threads that were interrupted after their write, of %d interrupts", interrupts)
                .isZero();
    }
}
