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
                new WakeCount(2, wake -> threads.add(Thread.currentThread().getName()), QuorumTime.SYSTEM);
        count.wake(new Wake.Changed(LockId.lock("a"), null));
        await().untilAsserted(() -> assertThat(threads).hasSize(1));
        assertThat(threads).allMatch(name -> name.startsWith("interlock-quorum-"));
    }

    /**
     * Once for each release. A release, a passer-by who is quicker, and its release: the second is not the first one's
     * third store.
     */
    @Test
    void wakesInAMoment_arePassedOn_forAsManyReleasesAsTheyMayBe() {
        List<Integer> passedOn = List.of(1, 1, 1, 2, 2, 2);
        for (int wakes = 1; wakes <= passedOn.size(); wakes++) {
            List<Wake> passed = new ArrayList<>();
            List<Runnable> later = new ArrayList<>();
            WakeCount count = new WakeCount(2, passed::add, () -> later::add);
            for (int i = 0; i < wakes; i++) {
                count.wake(new Wake.Changed(LockId.lock("a"), null));
            }
            assertThat(passed).as("%s wakes, at once", wakes).hasSize(wakes < 2 ? 0 : 1);
            later.forEach(Runnable::run);
            assertThat(passed).as("%s wakes, in the end", wakes).hasSize(passedOn.get(wakes - 1));
        }
    }
}
