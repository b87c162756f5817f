package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.LiveHeap;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a client costs the server, and what it leaves there: connections, channels, keys. Invariant I6, criteria P12 and
 * P22.
 */
@Tag("some")
@Tag(Effort.SCALED)
@Timeout(value = 1_800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuestTest {

    /** Whoever keeps a name, keeps more of it than this. */
    private static final long BYTES_OF_A_NAME = 16;

    private static final LeaseTerm LONG = LeaseTerm.renewing(Duration.ofMinutes(10));
    private static final int TOGETHER = 1_000;

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void P12_manyNamesAndWaiters_takeTwoConnections_andLeaveNoChannel() throws Exception {
        int names = Effort.pick(500, 20_000);
        try (Interlock holder = Interlock.connect(server.uri())) {
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                held.add(holder.lock("crowd-" + i).acquire(LONG));
            }
            long before = connections();
            List<CompletableFuture<Void>> waiting = new ArrayList<>();
            try (Interlock client = Interlock.connect(server.uri())) {
                for (int i = 0; i < names * 5 / 2; i++) {
                    waiting.add(client.lock("crowd-" + i % names)
                            .acquireAsync(LONG)
                            .thenAccept(Lease::close)
                            .toCompletableFuture());
                }
                await("all names are waited for")
                        .atMost(Duration.ofMinutes(5))
                        .until(() -> server.list("KEYS", "interlock_waiters:*").size() == names);
                assertThat(connections() - before).isBetween(1L, 2L);
                assertThat(channels()).hasSize(1);

                held.forEach(Lease::close);
                CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new))
                        .get(Effort.pick(300, 600), TimeUnit.SECONDS);
                assertThat(connections() - before).isBetween(1L, 2L);
            }
        }
        await("nobody listens").untilAsserted(() -> assertThat(channels()).isEmpty());
        assertThat(server.list("KEYS", "interlock_waiters:*")).isEmpty();
    }

    /**
     * The heap, too: the contract's own test of that is left in its short form to this one, see
     * {@link RedisLockContractTest#namesUsedOnce}.
     */
    @Test
    void P22_manyNamesOnceEach_leaveNoKey_andNothingInTheHeap() throws Exception {
        int names = Effort.pick(5_000, 10_000_000);
        RedisStore store = RedisStore.builder(server.uri())
                .fenceLife(Duration.ofSeconds(2))
                .build();
        try (Interlock client = Interlock.builder(store).build()) {
            // The second time nothing is new: not the verbs, and not the measuring.
            for (String warm : List.of("warm-", "hot-")) {
                useOnce(client, warm, TOGETHER);
                assertThat(LiveHeap.bytes()).isPositive();
            }
            awaitNoKey();
            long expired = expiredKeys();
            long before = LiveHeap.bytes();

            useOnce(client, "name-", names);

            awaitNoKey();
            assertThat(expiredKeys() - expired).as("fences that ended").isGreaterThanOrEqualTo(names);
            await().untilAsserted(() -> assertThat(LiveHeap.bytes() - before)
                    .as("growth of the heap, in bytes, after %d names", names)
                    .isLessThan(names * BYTES_OF_A_NAME));
        }
    }

    private void awaitNoKey() {
        await("the fences have ended")
                .untilAsserted(() -> assertThat(server.command("DBSIZE")).isEqualTo("0"));
    }

    private long expiredKeys() {
        String counter = "expired_keys:";
        return server.command("INFO", "stats")
                .lines()
                .filter(line -> line.startsWith(counter))
                .mapToLong(line -> Long.parseLong(line.substring(counter.length())))
                .sum();
    }

    private static void useOnce(Interlock client, String prefix, int names) throws Exception {
        LeaseTerm brief = LeaseTerm.renewing(Duration.ofSeconds(1));
        for (int from = 0; from < names; from += TOGETHER) {
            int first = from;
            CompletableFuture.allOf(IntStream.range(0, TOGETHER)
                            .mapToObj(i -> client.lock(prefix + (first + i))
                                    .acquireAsync(brief)
                                    .thenCompose(Lease::releaseAsync)
                                    .toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .get(5, TimeUnit.MINUTES);
        }
    }

    private long connections() {
        return server.command("CLIENT", "LIST", "TYPE", "normal").lines().count()
                + server.command("CLIENT", "LIST", "TYPE", "pubsub").lines().count();
    }

    private List<String> channels() {
        return server.list("PUBSUB", "CHANNELS", "*");
    }
}
