package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Where there are no virtual threads nothing is pinned, which is all that these tests can see there. */
class PinWatchTest {

    private static final long PAUSE = Duration.ofMillis(5).toNanos();

    @Test
    void sees_whoBlocksInTheInitializerOfAClass() throws Exception {
        List<String> pinned = pinnedBy(() -> PinsWhenFirstUsed.VALUE);

        assertThat(pinned)
                .hasSize(VirtualThreads.exist() ? 1 : 0)
                .allMatch(stack -> stack.contains("PinsWhenFirstUsed"));
    }

    @Test
    void seesNobody_whoLeavesItsCarrier() throws Exception {
        assertThat(pinnedBy(PinWatchTest::pause)).isEmpty();
    }

    private static List<String> pinnedBy(Callable<Boolean> body) throws Exception {
        if (!VirtualThreads.exist()) {
            return List.of();
        }
        ExecutorService threads = VirtualThreads.orOthers();
        try (PinWatch watch = new PinWatch()) {
            threads.submit(body).get(10, TimeUnit.SECONDS);
            return watch.ofOurCode();
        } finally {
            threads.shutdown();
        }
    }

    private static boolean pause() {
        LockSupport.parkNanos(PAUSE);
        return true;
    }

    /** Its initializer is called by the JVM itself: a frame that cannot leave the carrier. */
    private static final class PinsWhenFirstUsed {
        static final boolean VALUE = pause();
    }
}
