package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.testkit.server.RedisSentinels;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sentinels that want the password of the servers. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SentinelPasswordTest {

    private static RedisSentinels sentinels;

    @BeforeAll
    static void startServers() {
        sentinels = RedisSentinels.startWithPassword("secret");
    }

    @AfterAll
    static void stopServers() {
        sentinels.close();
    }

    @Test
    void theMasterIsFoundAndWatched() {
        try (Probe probe = new Probe(sentinels.uri())) {
            Claim held = probe.hold("found");
            probe.busy(probe.claim("found").waiting(Duration.ZERO));
            probe.release(held);
            await().until(() -> !probe.wakes.isEmpty());
            await().until(() -> sentinels.sentinels().stream().anyMatch(SentinelPasswordTest::isListenedTo));
        }
    }

    /** The control: they answer nobody who does not know it. */
    @Test
    void withoutItNothingIsFound() {
        assertRefused(sentinels.uri().replace(":secret@", ""), "NOAUTH");
        assertRefused(sentinels.uri().replace("secret", "wr0ng"), "WRONGPASS");
    }

    private static void assertRefused(String uri, String error) {
        try (Probe probe = new Probe(uri)) {
            assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("refused"))))
                    .hasMessageContaining("No Sentinel can be asked for the master")
                    .hasStackTraceContaining(error);
        }
    }

    private static boolean isListenedTo(RedisServer sentinel) {
        return sentinel.command("CLIENT", "LIST").contains(" sub=1 ");
    }
}
