package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How soon a circle is found. */
@Tag(Effort.TIMING)
class DeadlockTimeTest {

    private static final Duration SOON = Duration.ofSeconds(1);

    @Test
    void circleOfTwo_isFoundWithinASecond() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            InterlockBuilder builder = Interlock.builder(server.uri());
            isFound(Detector.addTo(builder, Timing.USUAL), builder, server.uri());
        }
    }

    private static void isFound(Detector earlier, InterlockBuilder builder, String uri) throws Exception {
        try (Interlock one = builder.build();
                Interlock two = DeadlockDetector.addTo(Interlock.builder(uri)).build();
                Actor first = new Actor(one, "first").holds(Demand.lock("a"));
                Actor last = new Actor(two, "last").holds(Demand.lock("b"))) {
            Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock("b"));
            await("the first waits").until(() -> earlier.published() == 1);
            long begun = System.nanoTime();

            assertThat(Actor.get(last.waitsFor(Demand.lock("a")))).isNotNull();

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
            assertThat(Actor.get(waiting)).isNull();
        }
    }
}
