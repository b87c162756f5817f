package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * News of a failover that come at a bad moment: the old master goes on as one for some seconds, and nobody may begin to
 * lock there.
 */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SentinelNewsTest {

    private static final String NAME = "themaster";
    private static final String REFUSAL = "NOPERM this user has no permissions to access one of the channels";

    private final CountDownLatch thawed = new CountDownLatch(1);
    private final CountDownLatch heard = new CountDownLatch(1);
    private ScriptedServer old;
    private ScriptedServer next;
    private ScriptedServer sentinel;
    private volatile int master;

    /** How often another server has become the master. */
    private final AtomicInteger switches = new AtomicInteger();

    /** How many of the next questions for the master are refused. */
    private final AtomicInteger refusals = new AtomicInteger();

    @BeforeEach
    void startServers() throws IOException {
        old = new ScriptedServer(master(thawed, ""));
        next = new ScriptedServer(master(new CountDownLatch(0), "-" + REFUSAL));
        sentinel = new ScriptedServer(this::sentinel);
        master = old.port();
    }

    @AfterEach
    void stopServers() throws IOException {
        thawed.countDown();
        sentinel.close();
        next.close();
        old.close();
    }

    /** I1: the connection to the old master was being opened when the news came. */
    @Test
    void P07_aConnectionThatWasBegunBeforeTheNewsIsNotUsed() throws IOException {
        try (Probe probe = probe()) {
            CompletionStage<Attempt> asked = probe.store.acquire(probe.claim("x"));
            await().until(() -> old.commands.contains("AUTH") && sentinel.commands.contains("SUBSCRIBE"));

            failOver();
            thawed.countDown();

            assertThat(Probe.answer(asked)).isInstanceOf(Attempt.Granted.class);
            assertThat(next.commands).contains("EVALSHA");
            assertThat(old.commands).doesNotContain("EVALSHA");
        }
    }

    /** I1: the news came while the connection on which they are heard was broken. */
    @Test
    void P07_newsThatNobodyHasHeardAreAskedFor() throws IOException {
        thawed.countDown();
        try (Probe probe = probe()) {
            probe.granted(probe.claim("x"));
            await().until(() -> sentinel.commands.contains("SUBSCRIBE"));
            assertThat(old.commands).contains("EVALSHA");

            master = next.port();
            sentinel.hangUp();
            await().until(() -> heard.getCount() == 0);

            probe.granted(probe.claim("y"));
            assertThat(next.commands).contains("EVALSHA");
        }
    }

    /** I1: and the first question after that, on the connection on which the next news would be heard, failed. */
    @Test
    void P07_newsThatNobodyHasHeard_areAskedForUntilAnswered() throws IOException {
        thawed.countDown();
        try (Probe probe = probe()) {
            probe.granted(probe.claim("x"));
            await("the question after the subscription").until(() -> questions() == 2);
            await().until(() -> sentinel.connections() == 1);

            refusals.set(1);
            master = next.port();
            sentinel.hangUp();
            await().until(() -> heard.getCount() == 0);

            assertThat(refusals.get()).isZero();
            probe.granted(probe.claim("y"));
            assertThat(next.commands).contains("EVALSHA");
        }
    }

    /** One Sentinel may watch several masters, whose names may begin alike. */
    @Test
    void newsOfAnotherMaster_areNone() throws IOException {
        thawed.countDown();
        try (Probe probe = probe()) {
            probe.granted(probe.claim("x"));
            await("the question after the subscription").until(() -> questions() == 2);

            for (String other : List.of(NAME + "2", NAME + "-2", "not-" + NAME, "")) {
                sentinel.push(switched(other));
            }
            failOver();
            probe.granted(probe.claim("y"));
        }
        assertThat(next.commands).contains("EVALSHA");
        assertThat(switches).as("only the last news were of this master").hasValue(1);
    }

    private int questions() {
        return Collections.frequency(sentinel.commands, "SENTINEL");
    }

    /** P28: a subscription that a failover interrupts says nothing of rights, and must not use up the one warning. */
    @Test
    void P28_aRightThatIsMissingAfterAFailoverIsNamed() throws IOException {
        thawed.countDown();
        Connector connector = connector();
        Router link = new Router(connector);
        WakeReceiver wakes = new WakeReceiver(connector, link, false);
        connector.onMasterSwitch(heard::countDown);
        Claim claim = Claim.of(LockId.lock("x"), OwnerId.of("client", 1), Probe.LEASE, Probe.PARTY);
        try (LogCapture log = new LogCapture()) {
            wakes.subscribe(claim);
            await().until(() -> old.commands.contains("SUBSCRIBE") && sentinel.commands.contains("SUBSCRIBE"));
            failOver();
            assertThat(log.warnings).isEmpty();

            wakes.subscribe(claim);
            await().until(() -> !log.warnings.isEmpty());
            assertThat(log.warnings.get(0).getMessage()).contains("+subscribe");
            assertThat(log.warnings.get(0).getThrown()).hasStackTraceContaining(REFUSAL);
        } finally {
            wakes.close();
            link.close();
            connector.close();
        }
    }

    /**
     * As opened by a URI, but for its time-out: a handshake that the test withholds must not end by itself, however
     * slow the machine is.
     */
    private Connector connector() {
        RedisURI uri = RedisStoreUri.parse("redis://:secret@127.0.0.1:" + sentinel.port())
                .server();
        uri.setTimeout(Duration.ofMinutes(2));
        NodeConnector template = new NodeConnector(new DedicatedClient(uri, null, null), uri);
        return new SentinelConnector(template, new Sentinels(template, List.of(template.address()), NAME));
    }

    private Probe probe() {
        Connector connector = connector();
        RedisStore store = new RedisStore(connector, Settings.DEFAULTS);
        // Behind the store's own.
        connector.onMasterSwitch(() -> {
            switches.incrementAndGet();
            heard.countDown();
        });
        return new Probe(store);
    }

    private void failOver() throws IOException {
        master = next.port();
        sentinel.push(switched(NAME));
        await().until(() -> heard.getCount() == 0);
    }

    private String switched(String name) {
        return "*3\r\n$7\r\nmessage\r\n" + word("+switch-master") + "\r\n"
                + word(name + " 127.0.0.1 " + old.port() + " 127.0.0.1 " + next.port());
    }

    private String sentinel(List<String> words) {
        return switch (words.get(0)) {
            case "SUBSCRIBE" -> "*3\r\n" + word("subscribe") + "\r\n" + word(words.get(1)) + "\r\n:1";
            case "SENTINEL" ->
                refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                        ? "-ERR not now"
                        : "*6\r\n" + word("ip") + "\r\n" + word("127.0.0.1") + "\r\n" + word("port") + "\r\n"
                                + word(Integer.toString(master)) + "\r\n" + word("config-epoch") + "\r\n" + word("1");
            default -> "+OK";
        };
    }

    private static Function<List<String>, String> master(CountDownLatch ready, String subscribed) {
        return words -> switch (words.get(0)) {
            case "AUTH" -> {
                try {
                    ready.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                yield "+OK";
            }
            case "HELLO" -> ScriptedServer.hello("standalone", "master");
            case "INFO" -> "$0\r\n";
            case "SUBSCRIBE" -> subscribed;
            default -> ":7";
        };
    }

    private static String word(String text) {
        return "$" + text.length() + "\r\n" + text;
    }
}
