package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that answers each request with a refusal: asking again brings the same, and a close does not wait for it.
 */
class RefusedCloseTest {

    /** Whoever waits for it would not come back in this test. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM User app has no permissions to run the 'evalsha' command",
                "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "NOREPLICAS Not enough good replicas to write."
            })
    void P27_closingAClientWhoseRequestsAreRefused_waitsForNothing(String refusal) throws Exception {
        try (ScriptedServer server = new ScriptedServer(words -> answer(words, refusal))) {
            Interlock client = Interlock.builder("redis://127.0.0.1:" + server.port())
                    .storeTimeout(Patience.limit())
                    .closeTimeout(FOR_EVER)
                    .build();
            CompletionStage<Lease> acquired = client.lock("n").acquireAsync(LeaseTerm.renewing(FOR_EVER));
            await().until(() -> server.commands.contains("EVALSHA"));
            CompletableFuture.runAsync(client::close).get(Patience.seconds(), TimeUnit.SECONDS);
            assertThat(acquired.toCompletableFuture()).isCompletedExceptionally();
        }
    }

    private static String answer(List<String> words, String refusal) {
        return words.get(0).equals("HELLO") ? ScriptedServer.hello("standalone", "master") : "-" + refusal;
    }
}
