package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.support.Host;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.history.FencedCell;
import dev.interlock.testkit.server.RedisSentinels;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master that Sentinels name, and that changes under those who lock. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class SentinelTest {

    private static final Duration DOWN_AFTER = Duration.ofSeconds(1);

    private static RedisSentinels sentinels;

    @BeforeAll
    static void startServers() {
        sentinels = RedisSentinels.start();
    }

    @AfterAll
    static void stopServers() {
        sentinels.close();
    }

    @Test
    void theMasterIsFound() {
        try (Probe probe = new Probe(sentinels.uri())) {
            Claim held = probe.hold("found");
            assertThat(sentinels.master().command("EXISTS", "found")).isEqualTo("1");
            probe.busy(probe.claim("found").waiting(Duration.ZERO));
            probe.release(held);
            await().until(() -> !probe.wakes.isEmpty());
            assertThat(probe.store).hasToString("RedisStore[" + sentinels.uri() + "]");
        }
    }

    @Test
    void oneSentinelThatAnswersIsEnough() {
        String uri = "redis-sentinel://127.0.0.1:1,127.0.0.1:"
                + sentinels.sentinels().get(1).port() + "/" + RedisSentinels.MASTER;
        try (Probe probe = new Probe(uri)) {
            // After a failover the one that answers may be the last to know of it.
            await().untilAsserted(() -> probe.release(probe.hold("one")));
        }
    }

    @Test
    void aMasterThatNoSentinelKnowsIsNamed() {
        String uri = sentinels.uri().replace("/" + RedisSentinels.MASTER, "/nobody");
        assertRefused(uri, "The Sentinels know no such master", "name=nobody", "127.0.0.1:");
    }

    @Test
    void sentinelsThatCannotBeReachedAreNamed() {
        assertRefused(
                "redis-sentinel://user:wr0ng@127.0.0.1:1,localhost:2/x",
                "No Sentinel can be asked for the master",
                "redis-sentinel://127.0.0.1:1,localhost:2/x");
    }

    @Test
    void aSentinelIsNoServer() {
        assertRefused(sentinels.sentinels().get(0).uri(), "This is a Sentinel", "redis-sentinel://");
    }

    @Test
    void aReplicaIsNoMaster() {
        RedisServer replica = sentinels.servers().stream()
                .filter(server -> server != sentinels.master())
                .findFirst()
                .orElseThrow();
        replica.command("CONFIG", "SET", "replica-read-only", "no");
        try {
            // Nothing but its role keeps a writable replica from granting what the master grants too.
            assertRefused(replica.uri(), "This server is a replica", Integer.toString(replica.port()));
        } finally {
            replica.command("CONFIG", "SET", "replica-read-only", "yes");
        }
    }

    /** I3, I1: over forced failovers under a client that locks all the time. */
    @Test
    @Tag(Effort.SCALED)
    void P07_tokensIncreaseOverForcedFailovers() throws InterruptedException {
        FencedCell cell = new FencedCell();
        long last = 0;
        try (Interlock client = Interlock.connect(sentinels.uri())) {
            for (int i = Effort.pick(2, 100); i > 0; i--) {
                RedisServer before = sentinels.master();
                long longest = 0;
                CompletableFuture<Void> failover = CompletableFuture.runAsync(sentinels::failOver);
                do {
                    long asked = System.nanoTime();
                    try (Lease lease = client.lock("p07").acquire(LeaseTerm.renewing(Duration.ofSeconds(5)))) {
                        longest = Math.max(longest, System.nanoTime() - asked);
                        assertThat(lease.token()).isGreaterThan(last);
                        last = lease.token();
                        assertThat(cell.write(last, "client", value -> value + 1))
                                .isTrue();
                    }
                } while (!failover.isDone());
                failover.join();
                Windows.since(System.nanoTime() - longest, "Sentinel, ordered failover, longest acquire");
                assertThat(sentinels.master()).isNotSameAs(before);
            }
        }
    }

    /** I3, I1: the last grant never got to the replica that takes over. Whoever has it is refused by the resource. */
    @Test
    void P07_tokensIncreaseOverAFailoverThatLostThem() {
        RedisServer master = sentinels.master();
        FencedCell cell = new FencedCell();
        try (Probe probe = new Probe(sentinels.uri())) {
            probe.release(probe.hold("lost-write"));
            master.command("ACL", "SETUSER", "default", "-psync", "-sync");
            master.command("CLIENT", "KILL", "TYPE", "replica");
            long lost = probe.granted(probe.claim("lost-write"));
            sentinels.downAfter(DOWN_AFTER);
            long fault = System.nanoTime();
            master.kill();
            sentinels.awaitNewMaster(master);
            // The fault: what was granted last is not known to the new master.
            assertThat(sentinels.master().command("EXISTS", "lost-write")).isEqualTo("0");

            Claim claim = probe.claim("lost-write");
            long next = await().until(() -> fence(probe, claim), fence -> fence > 0);
            Windows.since(fault, "Sentinel, down-after 1000 ms, master killed");

            assertThat(next).isGreaterThan(lost);
            assertThat(cell.write(next, "next", value -> value + 1)).isTrue();
            assertThat(cell.write(lost, "lost", value -> value + 1)).isFalse();
        } finally {
            master.restart();
            follow(master);
            sentinels.downAfter(Patience.FULL);
        }
    }

    /** A master that stood still goes on as one, until it is told: nobody who was connected to it goes back. */
    @Test
    void P07_aMasterThatStoodStillIsNotGoneBackTo() {
        RedisServer stale = sentinels.master();
        try (Probe probe = new Probe(sentinels.uri());
                Probe idle = new Probe(sentinels.uri());
                RedisStore careless = RedisStore.at(stale.uri())) {
            long before = probe.granted(probe.claim("stale"));
            new Probe(careless).hold("stale-control");
            idle.hold("stale-idle");
            sentinels.downAfter(DOWN_AFTER);
            long fault = System.nanoTime();
            stale.stop();
            assertThat(stale.state()).isEqualTo('T');
            sentinels.awaitNewMaster(stale);
            Claim claim = probe.claim("stale-2");
            long after = await().until(() -> fence(probe, claim), fence -> fence > 0);
            Windows.since(fault, "Sentinel, down-after 1000 ms, master stands still");
            stale.cont();

            // The control: it does grant, to whoever asks it.
            assertThat(Probe.answer(careless.acquire(probe.claim("stale-3")))).isInstanceOf(Attempt.Granted.class);
            assertThat(stale.command("ROLE")).startsWith("master");
            probe.hold("stale-4");
            // This one has asked nothing all the while, and noticed nothing by itself.
            await().until(() -> isNewMastersGrant(idle));
            assertThat(stale.command("ROLE")).startsWith("master");

            assertThat(after).isGreaterThan(before);
            assertThat(stale.command("EXISTS", "stale-4")).isEqualTo("0");
            assertThat(sentinels.master().command("EXISTS", "stale-4")).isEqualTo("1");
        } finally {
            // It may still be stopped, if something before has failed, which is then what is to be told.
            stale.cont();
            follow(stale);
            sentinels.downAfter(Patience.FULL);
        }
    }

    /** I6: over many breaks the client would keep them all. */
    @Test
    void aBrokenWatchLeavesNothingInTheClient() {
        Host sentinel = new Host("127.0.0.1", sentinels.sentinels().get(0).port());
        RedisURI uri = RedisURI.create(sentinel.name(), sentinel.port());
        DedicatedClient client = new DedicatedClient(uri, null, null);
        SentinelWatch watch = new SentinelWatch(
                new Sentinels(new NodeConnector(client, uri), List.of(sentinel), RedisSentinels.MASTER));
        try {
            watch.start();
            await().until(() -> watchers().size() == 1);
            int kept = Probe.kept(client.client()).size();
            for (int i = 0; i < 2; i++) {
                List<String> before = watchers();
                sentinels.sentinels().get(0).command("CLIENT", "KILL", "TYPE", "pubsub");
                await().until(() -> watchers().size() == 1 && !watchers().equals(before));
            }

            await().untilAsserted(() -> assertThat(Probe.kept(client.client())).hasSizeLessThanOrEqualTo(kept));
        } finally {
            watch.close();
            client.close();
        }
    }

    /** The ids of the connections that listen to the first Sentinel. */
    private static List<String> watchers() {
        return sentinels
                .sentinels()
                .get(0)
                .command("CLIENT", "LIST", "TYPE", "pubsub")
                .lines()
                .map(line -> line.replaceFirst(" .*", ""))
                .toList();
    }

    private static boolean isNewMastersGrant(Probe probe) {
        String name = "stale-" + System.nanoTime();
        return fence(probe, probe.claim(name)) > 0
                && sentinels.master().command("EXISTS", name).equals("1");
    }

    /** The Sentinels would see to it themselves, ten seconds later. */
    private static void follow(RedisServer server) {
        server.command(
                "REPLICAOF", "127.0.0.1", Integer.toString(sentinels.master().port()));
        server.awaitReplication();
    }

    /**
     * 0 if there was no grant in a short time, as after that an engine would ask again.
     *
     * @param claim the same each time: one that is given up on a slow machine may be granted all the same, and must not
     *     keep out the next
     */
    private static long fence(Probe probe, Claim claim) {
        CompletableFuture<Attempt> asked = probe.store.acquire(claim).toCompletableFuture();
        try {
            return asked.get(300, TimeUnit.MILLISECONDS) instanceof Attempt.Granted granted ? granted.fence() : 0;
        } catch (Exception e) {
            asked.cancel(false);
            return 0;
        }
    }

    private static void assertRefused(String uri, String... parts) {
        try (Probe probe = new Probe(uri)) {
            Throwable failure = Probe.refusal(() -> probe.store.acquire(probe.claim("refused")));
            assertThat(failure).isInstanceOf(StoreUnavailableException.class).hasMessageContainingAll(parts);
            for (Throwable t = failure; t != null; t = t.getCause()) {
                assertThat(String.valueOf(t)).doesNotContain("wr0ng");
            }
        }
    }
}
