package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.fence.FenceVerdict;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a rule passes EVAL, and refuses EVALSHA, or SCRIPT LOAD. */
class ScriptsInFullTest {

    private static LeastRights least;
    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        least = new LeastRights();
        server = least.server;
    }

    @AfterAll
    static void stopServer() {
        least.close();
    }

    private static String uri(String user, String rights) {
        LeastRights.grant(server, user, LeastRights.documented() + " " + rights);
        return LeastRights.uri(user, server.port());
    }

    /** How often the server was asked for this command, in vain or not. */
    private static long asked(String command) {
        return server.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .flatMap(line -> List.of(line.split("[:,]")).stream())
                .filter(field -> field.startsWith("calls=") || field.startsWith("rejected_calls="))
                .mapToLong(field -> Long.parseLong(field.substring(field.indexOf('=') + 1)))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-evalsha +eval", "-script +eval"})
    void refusedDigests_leadToScriptsInFull_forAllVerbs_saidOnce(String rights) {
        server.command("SCRIPT", "FLUSH");
        try (LogCapture log = new LogCapture();
                Probe probe = new Probe(uri("in-full", rights))) {
            Claim first = probe.hold("first");
            long digests = asked("evalsha");
            assertThat(asked("eval")).isPositive();

            assertThat(probe.renew(first)).isEqualTo(Renewal.HELD);
            assertThat(probe.refused(probe.claim("first"))).isPositive();
            Claim permits = probe.claim("permits", LockKind.SEMAPHORE, new Mode.Permits(1, 2));
            assertThat(probe.granted(permits)).isPositive();
            assertThat(probe.renew(permits)).isEqualTo(Renewal.HELD);
            probe.release(permits);
            probe.release(first);
            probe.release(probe.hold("first"));

            assertThat(asked("evalsha")).as("later requests do not try again").isEqualTo(digests);
            assertThat(log.warnings).hasSize(1);
            assertThat(log.warnings.get(0).getMessage()).contains("allow EVALSHA and SCRIPT LOAD");
        }
    }

    /** Both are refused: the message names the right that saves the other. */
    @Test
    void P28_withoutAnyOfThem_theFirstIsNamed_andNothingIsLogged() {
        server.command("SCRIPT", "FLUSH");
        try (LogCapture log = new LogCapture();
                Probe probe = new Probe(uri("neither", "-evalsha"))) {
            assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("x"))))
                    .hasMessageContaining("+evalsha");
            assertThat(log.warnings).isEmpty();

            LeastRights.grant(server, "neither", LeastRights.documented());
            long full = asked("eval");
            probe.hold("x");
            assertThat(asked("eval")).isEqualTo(full);
        }
    }

    @Test
    void theGuard_isSentInFull_too() {
        server.command("SCRIPT", "FLUSH");
        RedisClient client = RedisClient.create(uri("in-full", "-evalsha +eval"));
        try (var connection = client.connect()) {
            FencedRedis fenced = FencedRedis.over(connection.async());
            assertThat(fenced.set("value", "1", 7).toCompletableFuture().join())
                    .extracting(FenceVerdict::accepted)
                    .isEqualTo(true);
        } finally {
            client.shutdown();
        }
    }
}
