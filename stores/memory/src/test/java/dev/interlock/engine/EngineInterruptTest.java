package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interrupts of a thread that waits, against what happens at the same moment. Invariants I6, I9. */
@Timeout(300)
class EngineInterruptTest {

    private final Simulation patient = Simulation.patient();
    private final CountDownLatch told = new CountDownLatch(1);
    private final AtomicBoolean woken = new AtomicBoolean();
    private final FutureTask<Boolean> asked = new FutureTask<>(() -> {
        patient.lock("n").acquire().close();
        return Thread.interrupted();
    });
    private final Thread caller = new Thread(asked, "caller");

    /**
     * An interrupted caller waits for the monitor to give up under it, while it is granted the lock. What wakes it for
     * the one uses up what wakes it for the other.
     */
    @Test
    void P04_aGrantThatIsDecidedBeforeAnInterrupt_isNotSleptThrough() throws Exception {
        patient.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        caller.setDaemon(true);
        caller.start();
        await().until(() -> LockSupport.getBlocker(caller) instanceof BlockedCaller);

        Thread answering = Thread.currentThread();
        patient.clock.beforeReading(() -> {
            if (Thread.currentThread() == answering) {
                interruptTheCaller();
            } else {
                wakeUpOnce();
            }
        });
        patient.store.letGo();
        told.countDown();

        assertThat(asked.get(5, TimeUnit.MINUTES))
                .as("the interrupt is there for whoever looks next")
                .isTrue();
        patient.clock.beforeReading(() -> {});
        assertThat(patient.isAtRest()).isTrue();
    }

    /** Under the monitor, before the grant is decided. */
    private void interruptTheCaller() {
        if (told.getCount() > 0 && !isWaitingForTheMonitor()) {
            caller.interrupt();
            await().pollInSameThread().until(this::isWaitingForTheMonitor);
        }
    }

    private boolean isWaitingForTheMonitor() {
        return LockSupport.getBlocker(caller) instanceof AbstractOwnableSynchronizer;
    }

    /**
     * The caller has got the monitor, after all has happened that wakes it. A thread that is woken twice before it runs
     * wakes up once.
     */
    private void wakeUpOnce() {
        if (woken.compareAndSet(false, true)) {
            while (told.getCount() > 0) {
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(this, 1);
        }
    }
}
