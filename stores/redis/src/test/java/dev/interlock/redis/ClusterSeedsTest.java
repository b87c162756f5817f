package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.redis.connection.Connector;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.support.Host;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster found by several of its servers, of which one is gone for a while. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterSeedsTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private static RedisCluster cluster;
    private static RedisServer first;
    private static String tag;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.start("cluster-require-full-coverage no", "cluster-node-timeout 1000");
        first = cluster.masters().get(0);
        tag = cluster.nameAt(first, "seeds-");
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    /** The way in has changed to another seed by then: that must not be taken for the way to the first. */
    @Test
    void theSlotsOfTheFirstSeedAreServedAgainAfterItsRestart() {
        String seeds = cluster.masters().stream()
                .map(server -> "127.0.0.1:" + server.port())
                .collect(Collectors.joining(",", "redis://", ""));
        try (Probe probe = new Probe(seeds);
                Probe other = new Probe(seeds)) {
            probe.release(probe.hold(nameAtFirst()));
            other.release(other.hold(nameAtFirst()));
            first.kill();
            assertThat(isServed(probe)).isFalse();
            assertThat(isServed(other)).isFalse();
            first.restart();

            await().until(() -> isServed(probe));
            await().until(() -> isServed(other));
            Claim held = probe.hold(nameAtFirst());
            other.busy(other.claim(held.id().name()).waiting(Duration.ZERO));
            probe.release(held);
            await().until(() -> other.wakes.remove(held.id()));
        }
    }

    /** Whoever stands still is still connected to by the system, and says nothing. */
    @Test
    void aSeedThatSaysNothingIsPassedOver() throws IOException {
        try (ScriptedServer silent = new ScriptedServer(words -> "");
                Probe probe = new Probe("redis://127.0.0.1:" + silent.port() + ",127.0.0.1:" + first.port())) {
            await().until(() -> isServed(probe));
            assertThat(silent.commands).contains("HELLO");
        }
    }

    /** As one is that has lost its memory, and whom the others have forgotten. */
    @Test
    void aSeedThatKnowsOfNoSlotsIsPassedOver() throws IOException {
        try (ScriptedServer empty = new ScriptedServer(ClusterSeedsTest::forgotten);
                Probe probe = new Probe("redis://127.0.0.1:" + empty.port() + ",127.0.0.1:" + first.port())) {
            await().until(() -> isServed(probe));
            assertThat(empty.commands).contains("CLUSTER");
        }
    }

    /**
     * With {@code replicas} several links share the way in: what all of them say of one seed must not pass over the
     * next one too.
     */
    @Test
    void aSeedIsPassedOverOnceHoweverManyLinksHaveMetIt() throws IOException {
        Map<Thread, CountDownLatch> asked = new ConcurrentHashMap<>();
        try (ScriptedServer empty = new ScriptedServer(words -> forgottenLater(words, asked))) {
            Connector seeds = RedisStoreUri.parse("redis://127.0.0.1:" + empty.port() + ",127.0.0.1:" + first.port())
                    .connector(Settings.DEFAULTS);
            Host useless = new Host("127.0.0.1", empty.port());
            Router one = new Router(seeds);
            Router other = new Router(seeds);
            try {
                var found = List.of(one.masters(), other.masters());
                await().until(() -> asked.size() == 2);
                Iterator<CountDownLatch> answers = List.copyOf(asked.values()).iterator();
                answers.next().countDown();
                await().until(() -> !useless.equals(seeds.address()));
                answers.next().countDown();

                found.forEach(masters -> assertThat(Probe.answer(masters)).hasSameSizeAs(cluster.masters()));
                assertThat(asked).as("connections to the useless one").hasSize(2);
            } finally {
                one.close();
                other.close();
                seeds.close();
            }
        }
    }

    /** Who has what is answered when the test says so, on each connection by itself, which has a thread of its own. */
    private static String forgottenLater(List<String> words, Map<Thread, CountDownLatch> asked) {
        if (words.get(0).equals("CLUSTER")) {
            try {
                asked.computeIfAbsent(Thread.currentThread(), connection -> new CountDownLatch(1))
                        .await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return forgotten(words);
    }

    /**
     * The first of them is asked again and again while it is all that is known: with a reading that throws, nothing
     * would be asked any more.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "*1\r\n:1",
                "*1\r\n*3\r\n:0\r\n:99999\r\n*2\r\n$1\r\nh\r\n:1",
                "*1\r\n*3\r\n+a\r\n+b\r\n+c",
                "+OK"
            })
    void aSeedThatTellsWhatNobodyReadsIsPassedOver(String slots) throws IOException {
        try (ScriptedServer strange =
                        new ScriptedServer(words -> words.get(0).equals("CLUSTER") ? slots : forgotten(words));
                Probe probe = new Probe("redis://127.0.0.1:" + strange.port() + ",127.0.0.1:" + first.port())) {
            await().until(() -> isServed(probe));
            assertThat(strange.commands).contains("CLUSTER");
        }
    }

    private static String forgotten(List<String> words) {
        return switch (words.get(0)) {
            case "HELLO" -> ScriptedServer.hello("cluster", "master");
            case "INFO" -> "$0\r\n";
            case "CLUSTER" -> "*0";
            default -> "-CLUSTERDOWN Hash slot not served";
        };
    }

    private static boolean isServed(Probe probe) {
        CompletableFuture<Attempt> asked =
                probe.store.acquire(probe.claim(nameAtFirst())).toCompletableFuture();
        try {
            return asked.get(2, TimeUnit.SECONDS) instanceof Attempt.Granted;
        } catch (Exception e) {
            asked.cancel(false);
            return false;
        }
    }

    private static String nameAtFirst() {
        return "{" + tag + "}" + NAMES.incrementAndGet();
    }
}
