package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P25: a server that never answers in earnest is not asked for ever. */
class RetryBudgetTest {

    /** The criterion: 12 requests became 150 000 elsewhere. All commands count, whatever they are for. */
    @Test
    void P25_movedForEverCostsAtMostTenCommandsACall() throws IOException {
        AtomicInteger port = new AtomicInteger();
        try (ScriptedServer server = new ScriptedServer(words -> answer(words.get(0), "-MOVED 7 127.0.0.1:" + port));
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            port.set(server.port());
            warmUp(probe, "MOVED 7");
            await().until(() -> server.commands.contains("CLUSTER"));
            for (int i = 0; i < 3; i++) {
                server.commands.clear();
                assertThat(Probe.failure(probe.store.acquire(probe.claim("x")))).hasMessageContaining("MOVED 7");
                assertThat(server.commands).filteredOn("EVALSHA"::equals).hasSizeBetween(2, 10);
                assertThat(server.commands)
                        .filteredOn(c -> !c.equals("CLUSTER"))
                        .hasSizeBetween(2, 10);
            }
        }
    }

    /** Masters hear of each other's news by and by; meanwhile each may say that it is the other. */
    @Test
    void serversThatDisagreeForAWhileAreHeardAgainWithPauses() throws IOException {
        AtomicInteger port = new AtomicInteger();
        AtomicBoolean warm = new AtomicBoolean();
        AtomicLong first = new AtomicLong();
        try (ScriptedServer server = new ScriptedServer(words -> {
                    if (warm.get() && words.get(0).equals("EVALSHA")) {
                        first.compareAndSet(0, System.nanoTime());
                    }
                    boolean agreed = first.get() != 0 && System.nanoTime() - first.get() > 300_000_000;
                    return answer(words.get(0), agreed ? "-ERR of one mind" : "-MOVED 7 127.0.0.1:" + port);
                });
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            port.set(server.port());
            warmUp(probe, "MOVED 7");
            warm.set(true);
            assertThat(Probe.failure(probe.store.acquire(probe.claim("x")))).hasMessageContaining("of one mind");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TRYAGAIN Multiple keys request during rehashing of slot, TRYAGAIN",
        "CLUSTERDOWN The cluster is down, CLUSTERDOWN",
        "LOADING Redis is loading the dataset in memory, LOADING",
        "NOSCRIPT No matching script. Please use EVAL., NOSCRIPT",
        "ASK 7 127.0.0.1:1, redis://127.0.0.1:1/0",
    })
    void P25_noAnswerForEverCostsAtMostTenCommandsACall(String error, String expected) throws IOException {
        try (ScriptedServer server = new ScriptedServer(words -> answer(words.get(0), "-" + error));
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            warmUp(probe, expected);
            server.commands.clear();
            assertThat(Probe.failure(probe.store.acquire(probe.claim("x")))).hasMessageContaining(expected);
            assertThat(server.commands)
                    .filteredOn(c -> c.equals("EVALSHA") || c.equals("SCRIPT") || c.equals("ASKING"))
                    .hasSizeBetween(1, 10);
        }
    }

    /** A caller that gives up while its call rests is not asked for again. */
    @Test
    void P25_whatIsCancelledIsNotSentAgain() throws Exception {
        try (ScriptedServer server = new ScriptedServer(words -> answer(words.get(0), "-LOADING for ever"));
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            warmUp(probe, "LOADING");
            server.commands.clear();
            CompletableFuture<Attempt> asked =
                    probe.store.acquire(probe.claim("x")).toCompletableFuture();
            await().until(() -> server.commands.contains("EVALSHA"));
            asked.cancel(false);
            long sent = server.commands.stream().filter("EVALSHA"::equals).count();
            CompletableFuture<Attempt> behind =
                    probe.store.acquire(probe.claim("behind")).toCompletableFuture();
            // Its ten commands are spread over the time in which the cancelled one would have had its own.
            assertThat(Probe.failure(behind)).hasMessageContaining("LOADING");
            assertThat(server.commands).filteredOn("EVALSHA"::equals).hasSizeLessThanOrEqualTo((int) sent + 10);
        }
    }

    /** A first connection may fail by itself while the machine stands still, and with another message. */
    private static void warmUp(Probe probe, String expected) {
        await().untilAsserted(() -> assertThat(Probe.failure(probe.store.acquire(probe.claim("warm"))))
                .hasMessageContaining(expected));
    }

    private static String answer(String command, String error) {
        return switch (command) {
            case "HELLO" -> ScriptedServer.hello("cluster", "master");
            case "INFO" -> "$0\r\n";
            case "SCRIPT" -> "+OK";
            default -> error;
        };
    }
}
