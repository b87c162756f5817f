package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.LockId;
import dev.interlock.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class WakeCountTest {

    /** The common pool may be full of an application's blocking calls, which wait for this very wake. */
    @Test
    void aWakeOfTooFew_isPassedOn_onAThreadOfInterlock() {
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        WakeCount count =
                new WakeCount(2, wake -> threads.add(Thread.currentThread().getName()));
        count.wake(new Wake(LockId.lock("a"), null));
        await().untilAsserted(() -> assertThat(threads).hasSize(1));
        assertThat(threads).allMatch(name -> name.startsWith("interlock-quorum-"));
    }

    /** A release, a passer-by who is quicker, and its release: the second is not the first one's third store. */
    @Test
    void twoWakesInAMoment_arePassedOnTwice() {
        List<Wake> passed = new ArrayList<>();
        List<Runnable> later = new ArrayList<>();
        WakeCount count = new WakeCount(2, passed::add, () -> later::add);
        for (int i = 0; i < 6; i++) {
            count.wake(new Wake(LockId.lock("a"), null));
        }
        assertThat(passed).hasSize(1);
        later.forEach(Runnable::run);
        assertThat(passed).hasSize(2);
    }
}
