package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several locks of one server as one. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MultiLockOnRedisTest {

    private static final int MEMBERS = 5;
    private static final Duration EACH_WAY = Duration.ofMillis(200);

    private static DistributedLock several(Interlock client) {
        return MultiLock.of(IntStream.range(0, MEMBERS)
                .mapToObj(i -> client.lock("several:" + i))
                .toList());
    }

    /**
     * Five free names cost the time of one round trip to acquire, and of one to release; one after the other they would
     * cost five.
     */
    @Tag(Effort.TIMING)
    @Test
    void P18_freeNamesOnOneServer_areOneRoundTrip() throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                Interlock client = Interlock.connect(server.uriAt(proxy.port()))) {
            several(client).acquire().close();
            proxy.latency(EACH_WAY);

            long start = System.nanoTime();
            Lease lease = several(client).acquire();
            Duration acquired = Duration.ofNanos(System.nanoTime() - start);
            lease.close();
            Duration released = Duration.ofNanos(System.nanoTime() - start).minus(acquired);

            Duration roundTrip = EACH_WAY.multipliedBy(2);
            assertThat(acquired).isBetween(roundTrip, roundTrip.multipliedBy(MEMBERS - 1));
            assertThat(released).isBetween(roundTrip, roundTrip.multipliedBy(MEMBERS - 1));
            assertThat(server.command("KEYS", "several:*")).isEmpty();
        }
    }

    /** One command for each name to acquire, one to release, and none to hold. */
    @Test
    void P18_aFreeName_isOneCommandToAcquire_andOneToRelease() throws Exception {
        try (RedisServer server = RedisServer.start();
                Interlock client = Interlock.builder(server.uri())
                        .attemptTimeout(Patience.limit())
                        .build()) {
            several(client).acquire().close();
            server.command("CONFIG", "RESETSTAT");
            several(client).acquire().close();
            assertThat(server.calls("evalsha") + server.calls("eval")).isEqualTo(2 * MEMBERS);
        }
    }
}
