package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sentinels that disagree. One has missed a failover and names the deposed master, which still grants; it is the first
 * of the URI. No real Sentinel can be made to miss it for long.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SentinelEpochTest {

    private static final String QUESTION = "SENTINEL";
    private static final String GRANT = "EVALSHA";
    private static final int ROUNDS = 20;

    private ScriptedServer deposed;
    private ScriptedServer master;
    private ScriptedServer stale;
    private ScriptedServer fresh;
    private volatile long freshEpoch = 2;
    private volatile boolean cutOff;

    @BeforeEach
    void startServers() throws IOException {
        deposed = new ScriptedServer(SentinelEpochTest::grant);
        master = new ScriptedServer(SentinelEpochTest::grant);
        stale = new ScriptedServer(words -> sentinel(words, deposed, 1));
        fresh = new ScriptedServer(
                words -> cutOff && words.get(0).equals(QUESTION) ? "" : sentinel(words, master, freshEpoch));
    }

    @AfterEach
    void stopServers() throws IOException {
        fresh.close();
        stale.close();
        master.close();
        deposed.close();
    }

    @Test
    void P07_theNewestEpochCounts_whoeverIsAskedFirst() {
        // On a busy machine the newest answer may come too late, but not again and again.
        for (int round = 0; round < ROUNDS && grants(master) == 0; round++) {
            try (Probe probe = probe()) {
                probe.hold("newest");
            }
        }
        assertThat(grants(master)).isPositive();
        assertThat(stale.commands).contains(QUESTION);
    }

    /** I1: who knows of the failover does not take the word of a Sentinel that does not. */
    @Test
    void P07_anOlderEpochThanBefore_doesNotLeadBackToTheDeposedMaster() throws IOException {
        try (Probe probe = probe()) {
            await().until(() -> isGrantedBy(probe, master));
            int before = grants(deposed);
            int asked = questions(stale);

            cutOff = true;
            master.hangUp();

            await().until(() -> Probe.failure(probe.store.acquire(probe.claim("behind")))
                            instanceof StoreUnavailableException refused
                    && String.valueOf(refused.getMessage()).contains("older than the one before"));
            assertThat(questions(stale)).isGreaterThan(asked);
            assertThat(grants(deposed)).isEqualTo(before);
            // The control: a client that knows nothing is led there.
            try (Probe other = probe()) {
                other.hold("behind");
            }
            assertThat(grants(deposed)).isGreaterThan(before);

            cutOff = false;
            await().until(() -> isGrantedBy(probe, master));
        }
    }

    /** Sentinels that are set up anew begin with the first epoch. All of them say so. */
    @Test
    void allSentinelsWithOlderEpochsThanBefore_areFollowed() throws IOException {
        try (Probe probe = probe()) {
            await().until(() -> isGrantedBy(probe, master));

            freshEpoch = 0;
            master.hangUp();

            await().until(() -> isGrantedBy(probe, deposed));
        }
    }

    /** A failure is that of a connection that broke; the next request asks the Sentinels. */
    private static boolean isGrantedBy(Probe probe, ScriptedServer server) {
        int before = grants(server);
        return probe.store
                        .acquire(probe.claim("any"))
                        .handle((attempt, failure) -> failure == null)
                        .toCompletableFuture()
                        .join()
                && grants(server) > before;
    }

    private Probe probe() {
        return new Probe("redis-sentinel://127.0.0.1:" + stale.port() + ",127.0.0.1:" + fresh.port() + "/themaster");
    }

    private static int grants(ScriptedServer server) {
        return Collections.frequency(server.commands, GRANT);
    }

    private static int questions(ScriptedServer sentinel) {
        return Collections.frequency(sentinel.commands, QUESTION);
    }

    private static String grant(List<String> words) {
        return switch (words.get(0)) {
            case "HELLO" -> ScriptedServer.hello("standalone", "master");
            case "INFO" -> "$0\r\n";
            default -> ":7";
        };
    }

    private static String sentinel(List<String> words, ScriptedServer named, long epoch) {
        return switch (words.get(0)) {
            case "SUBSCRIBE" -> "*3\r\n" + word("subscribe") + "\r\n" + word(words.get(1)) + "\r\n:1";
            case QUESTION ->
                "*6\r\n" + word("ip") + "\r\n" + word("127.0.0.1") + "\r\n" + word("port") + "\r\n"
                        + word(Integer.toString(named.port())) + "\r\n" + word("config-epoch") + "\r\n"
                        + word(Long.toString(epoch));
            default -> "+OK";
        };
    }

    private static String word(String text) {
        return "$" + text.length() + "\r\n" + text;
    }
}
