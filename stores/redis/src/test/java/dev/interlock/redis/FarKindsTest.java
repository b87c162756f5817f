package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Barriers, latches and semaphores on a store that is so many milliseconds away, each way. */
@Tag("wide")
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FarKindsTest {

    private static final int ROUNDS = 2;

    /** Less than an answer takes from most of them. */
    private static final Duration SHORT = Duration.ofMillis(100);

    @ParameterizedTest
    @ValueSource(ints = {50, 300, 600})
    void everyKind_works(int millis) throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                Interlock one = Interlock.connect("redis://127.0.0.1:" + proxy.port());
                Interlock two = Interlock.connect("redis://127.0.0.1:" + proxy.port())) {
            // They connect, and load what they need.
            one.lock("warm").run(() -> {});
            two.lock("warm").run(() -> {});
            proxy.latency(Duration.ofMillis(millis));

            barriers(one, two);
            latches(one, two);
            semaphores(one, two);
        }
    }

    private static void barriers(Interlock one, Interlock two) throws Exception {
        DistributedBarrier first = DistributedBarrier.of(one, "far", 3);
        DistributedBarrier second = DistributedBarrier.of(two, "far", 3);
        for (int round = 0; round < ROUNDS; round++) {
            Caller<Long> a = Caller.start(first::await);
            Caller<Long> b = Caller.start(second::await);
            long generation = second.await();
            assertThat(a.result()).isEqualTo(generation);
            assertThat(b.result()).isEqualTo(generation);
        }
        DistributedBarrier pair = DistributedBarrier.of(one, "far-pair", 2);
        Caller<Long> waiting = Caller.start(pair::await);
        while (pair.waiting() == 0) {
            assertThat(waiting.isDone()).isFalse();
        }
        assertThat(DistributedBarrier.of(two, "far-pair", 2).await(Duration.ZERO))
                .isEqualTo(waiting.result());
    }

    private static void latches(Interlock one, Interlock two) throws Exception {
        DistributedLatch latch = one.latch("far");
        assertThat(two.latch("far").await(SHORT)).as("at zero").isTrue();
        latch.trySetCount(1);
        assertThat(two.latch("far").await(SHORT)).isFalse();
        Caller<Boolean> waiting = Caller.startAction(two.latch("far")::await);
        latch.countDown();
        waiting.result();
    }

    private static void semaphores(Interlock one, Interlock two) throws Exception {
        DistributedSemaphore permits = one.semaphore("far", 2);
        Lease all = permits.tryAcquire(2, SHORT).orElseThrow();
        assertThat(two.semaphore("far", 2).tryAcquire(1, SHORT)).isEmpty();
        Caller<Lease> waiting = Caller.start(() -> two.semaphore("far", 2).acquire());
        all.close();
        waiting.result().close();
        assertThat(permits.drain().map(Lease::isValid)).contains(true);
    }
}
