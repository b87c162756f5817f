package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.fence.FenceVerdict;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** I1: a guard that cannot be read refuses every write, since it may have been a larger token. */
class FencedRedisTest {

    private static final String GUARD = "interlock_guard:{k}";

    private static RedisServer server;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;

    private FencedRedis fenced;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        client = RedisClient.create(server.uri());
        connection = client.connect();
    }

    @AfterAll
    static void stop() {
        connection.close();
        client.shutdown();
        server.close();
    }

    @BeforeEach
    void reset() {
        server.command("FLUSHALL");
        fenced = FencedRedis.over(connection.async());
        server.command("SET", "k", "before");
    }

    @ParameterizedTest
    @CsvSource({
        "abc, a text",
        "'', an empty text",
        "-5, a negative number",
        "-5 me, a negative number",
        "1e300, a number that is no token",
        "0, a number that is no token",
        "007 me, a number that is no token",
        "1.5, a number that is no token",
        "0x1F, a number that is no token",
        "9223372036854775808 me, a number that is no token",
        "99999999999999999999, a number that is no token",
        "' 5', a text",
        "nan, a text",
        "5x me, a number that is no token",
    })
    void I1_aGuardThatIsNoToken_refusesEverybody(String guard, String kind) {
        server.command("SET", GUARD, guard);
        for (long token : new long[] {1, 150, Long.MAX_VALUE}) {
            assertThat(Probe.failure(fenced.set("k", "after", token)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("since it is " + kind + ";")
                    .hasMessageContaining(GUARD);
        }
        assertThat(server.command("GET", "k")).isEqualTo("before");
        assertThat(server.command("GET", GUARD)).isEqualTo(guard);
    }

    @Test
    void I1_aGuardOfAnotherType_refusesEverybody() {
        server.command("LPUSH", GUARD, "5");
        assertThat(Probe.failure(fenced.set("k", "after", 150)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another type than a string")
                .hasMessageContaining(GUARD);
        assertThat(server.command("GET", "k")).isEqualTo("before");
    }

    @ParameterizedTest
    @CsvSource({"150 , true", "150 me, false", "151 , false", "9223372036854775807 , false", "149, true", "149 x, true"
    })
    void aGuardThatIsAToken_decides(String guard, boolean accepted) {
        server.command("SET", GUARD, guard.contains(" ") ? guard : guard + " ");
        FenceVerdict verdict = Probe.answer(fenced.set("k", "after", 150));
        assertThat(verdict.accepted()).isEqualTo(accepted);
        assertThat(server.command("GET", "k")).isEqualTo(accepted ? "after" : "before");
    }
}
