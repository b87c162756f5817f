package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.fence.FenceVerdict;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of lock on a cluster: renewed together, listed together, whatever its name and while its slot moves. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class ClusterKindsTest {

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final List<Form> FORMS = List.of(
            new Form(LockKind.LOCK, Mode.exclusive()),
            new Form(LockKind.LOCK, Mode.fair()),
            new Form(LockKind.READ_WRITE, Mode.shared()),
            new Form(LockKind.READ_WRITE, Mode.fair()),
            new Form(LockKind.SEMAPHORE, new Mode.Permits(1, 1)));

    private static RedisCluster cluster;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    /**
     * B13 asks for one command for each server and 100 leases, of whatever kinds; and each claim that is lost is told
     * from the others.
     */
    @Test
    void kindsAreRenewedTogetherByOneCommandForEachMaster() {
        try (Probe probe = new Probe(cluster.uri())) {
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                for (RedisServer master : cluster.masters()) {
                    FORMS.forEach(form -> claims.add(form.of(probe, nameAt(master))));
                }
            }
            claims.forEach(probe::granted);
            List<Claim> lost = claims.subList(0, FORMS.size());
            lost.forEach(probe::release);
            // Scripts that are new to a server would be asked for twice.
            Probe.answer(probe.store.renew(claims));
            resetCounts();

            Map<Claim, Renewal> renewed = Probe.answer(probe.store.renew(claims));

            assertThat(renewed).hasSize(claims.size());
            assertThat(renewed.keySet())
                    .filteredOn(claim -> renewed.get(claim) == Renewal.DELETED)
                    .containsExactlyInAnyOrderElementsOf(lost);
            assertThat(renewed.values()).filteredOn(Renewal.HELD::equals).hasSize(claims.size() - lost.size());
            // Why one is gone is one more question for each.
            assertThat(cluster.calls("evalsha")).isEqualTo(3 + lost.size());
            claims.forEach(probe::release);
        }
    }

    @Test
    void allKindsOnAllMastersAreListed() {
        try (Probe probe = new Probe(cluster.uri())) {
            List<Claim> claims = new ArrayList<>();
            List<LockId> listed = new ArrayList<>();
            for (RedisServer master : cluster.masters()) {
                FORMS.forEach(form -> claims.add(form.of(probe, listedAt(master))));
                Command set = probe.command(listedAt(master), new Command.SetCount(3));
                probe.executed(set);
                listed.add(set.id());
            }
            claims.forEach(probe::granted);
            claims.forEach(claim -> listed.add(claim.id()));

            assertThat(Probe.answer(probe.store.list("listed-", 100)))
                    .extracting(status -> new LockId(status.name(), status.kind()))
                    .containsExactlyInAnyOrderElementsOf(listed);
            claims.forEach(probe::release);
        }
    }

    /** All that stands beside a name is in its slot: or else a server refuses the script. */
    @ParameterizedTest
    @MethodSource("names")
    void anyNameIsHeldRenewedAndHandedOver(String name) {
        try (Probe probe = new Probe(cluster.uri());
                Probe other = new Probe(cluster.uri())) {
            List<Claim> elsewhere = cluster.masters().stream()
                    .map(master -> probe.hold(nameAt(master)))
                    .toList();
            for (Form form : FORMS) {
                Claim held = form.opponent().of(probe, name);
                probe.granted(held);
                Claim waits = form.of(other, name);
                other.busy(waits.waiting(Duration.ZERO));
                assertThat(Probe.answer(other.store.inspect(waits.id())).waiters())
                        .hasSize(1);
                assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
                assertHeld(
                        probe,
                        Stream.concat(elsewhere.stream(), Stream.of(held)).toList());
                assertThat(probe.release(held)).isTrue();
                await().until(() -> other.wakes.remove(waits.id()));
                other.granted(waits);
                assertThat(other.release(waits.byForce())).isTrue();
                assertThat(other.renew(waits)).isEqualTo(Renewal.FORCED);
            }
            elsewhere.forEach(probe::release);
        }
    }

    /**
     * A server that has sharded channels tells nobody else of a wake; with the others, the negative control, the bus
     * carries it to all servers.
     */
    @Test
    void aWakeOfAnyKindStaysOnItsServer() {
        boolean sharded = isSharded();
        try (Probe probe = new Probe(cluster.uri());
                Probe other = new Probe(cluster.uri())) {
            for (Form form : FORMS) {
                wakeIsHeard(probe, other, form, nameAt(server(1)));
                wakeIsHeard(probe, other, form, nameAt(server(2)));
            }
            long sent = publishedOnTheBus();
            resetCounts();
            for (Form form : FORMS) {
                wakeIsHeard(probe, other, form, nameAt(server(1)));
                wakeIsHeard(probe, other, form, nameAt(server(2)));
            }
            // Each of the other two servers gets each message, if it is not a sharded one.
            long wakes = 2L * FORMS.size();
            assertThat(cluster.calls(sharded ? "spublish" : "publish")).isEqualTo(wakes);
            assertThat(publishedOnTheBus() - sent).isEqualTo(sharded ? 0 : 2 * wakes);
            if (sharded) {
                // One inbox for each client and server on which it has waited, whatever the number of names.
                // Those of the tests before are closed, and the servers may hear of that later.
                await().until(() -> server(0).list("PUBSUB", "SHARDCHANNELS").isEmpty());
                await().until(() -> server(1).list("PUBSUB", "SHARDCHANNELS").size() == 1);
                await().until(() -> server(2).list("PUBSUB", "SHARDCHANNELS").size() == 1);
                server(0).command("PUBLISH", "anything", "control");
                assertThat(publishedOnTheBus() - sent).isEqualTo(2);
            }
        }
    }

    /** Each would choose a channel by itself, as none is subscribed yet. */
    @Test
    void claimsThatBeginToWaitAtOnceChooseOneInbox() {
        for (int round = 0; round < 50; round++) {
            try (Probe probe = new Probe(cluster.uri());
                    Probe other = new Probe(cluster.uri())) {
                List<Claim> held = Stream.generate(() -> probe.hold(nameAt(server(0))))
                        .limit(8)
                        .toList();
                List<Claim> waiting = held.stream()
                        .map(claim -> other.claim(claim.id().name()).waiting(Duration.ZERO))
                        .toList();

                waiting.stream()
                        .map(claim -> other.store.acquire(claim))
                        .toList()
                        .forEach(Probe::answer);

                waiting.forEach(other::busy);
                assertThat(inboxes(other, server(0))).hasSize(1);
            }
        }
    }

    /** The server ends a sharded subscription whose slot has gone: whoever waits then listens by another slot. */
    @Test
    void anInboxWhoseSlotHasMovedIsOpenedAnew() {
        String first = nameAt(server(0));
        int slot = cluster.slot(first);
        try (Probe probe = new Probe(cluster.uri());
                Probe other = new Probe(cluster.uri())) {
            wakeIsHeard(probe, other, FORMS.get(0), first);
            List<String> before = inboxes(other, server(0));
            cluster.beginMove(slot, server(0), server(1));
            cluster.moveKeys(slot, server(0), server(1));
            cluster.endMove(slot, server(0), server(1));
            try {
                if (isSharded()) {
                    await().until(() -> inboxes(other, server(0)).isEmpty());
                    awaitUnheard(probe, other);
                }
                FORMS.forEach(form -> wakeIsHeard(probe, other, form, nameAt(server(0))));
                if (isSharded()) {
                    assertThat(inboxes(other, server(0))).hasSameSizeAs(before).doesNotContainAnyElementsOf(before);
                }
            } finally {
                cluster.beginMove(slot, server(1), server(0));
                cluster.moveKeys(slot, server(1), server(0));
                cluster.endMove(slot, server(1), server(0));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aLatchOfAnyNameIsAwaited(String name) {
        try (Probe probe = new Probe(cluster.uri())) {
            probe.executed(probe.command(name, new Command.SetCount(1)));
            Claim waits = probe.claim(name, LockKind.LATCH, new Mode.AwaitZero());
            probe.busy(waits.waiting(Duration.ZERO));
            probe.executed(probe.command(name, new Command.CountDown()));
            await().until(() -> probe.wakes.contains(waits.id()));
            probe.granted(waits);
        }
    }

    /** The token beside the value is in its slot, too. */
    @ParameterizedTest
    @MethodSource("names")
    void aValueUnderAnyKeyIsGuarded(String key) {
        RedisClusterClient client = RedisClusterClient.create(cluster.uri());
        try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
            FencedRedis fenced = FencedRedis.over(connection.async());

            assertThat(Probe.answer(fenced.set(key, "new", 2))).isEqualTo(new FenceVerdict(true, 2));
            assertThat(Probe.answer(fenced.set(key, "old", 1))).isEqualTo(new FenceVerdict(false, 2));
            assertThat(connection.sync().get(key)).isEqualTo("new");
        } finally {
            client.shutdown();
        }
    }

    static List<String> names() {
        return List.of(
                "plain", "{tag}x", "x{tag}", "}odd{", "{}empty", "a}b", "{open", "}", "{", "{}", "{{a}}", "}{a}");
    }

    /** All keys have been moved, and the slot has not yet: whoever is asked sends us on. */
    @Test
    void everyKindInAMovingSlotIsRenewedAndReleased() {
        RedisServer from = cluster.masters().get(0);
        RedisServer to = cluster.masters().get(1);
        String tag = nameAt(from);
        int slot = cluster.slot(tag);
        try (Probe probe = new Probe(cluster.uri())) {
            List<Claim> claims = IntStream.range(0, FORMS.size())
                    .mapToObj(i -> FORMS.get(i).of(probe, "{" + tag + "}" + i))
                    .toList();
            claims.forEach(probe::granted);
            cluster.beginMove(slot, from, to);
            try {
                cluster.moveKeys(slot, from, to);
                long asked = cluster.calls("asking");
                assertHeld(probe, claims);
                assertThat(cluster.calls("asking")).isGreaterThanOrEqualTo(asked + claims.size());
            } finally {
                cluster.moveKeys(slot, from, to);
                cluster.endMove(slot, from, to);
            }
            assertHeld(probe, claims);
            claims.forEach(claim -> assertThat(probe.release(claim)).isTrue());
        }
    }

    /** Returns when the second knows that its inbox on the first server is gone: then it asks again soon. */
    private static void awaitUnheard(Probe probe, Probe other) {
        Claim held = probe.hold(nameAt(server(0)));
        Claim waits = other.claim(held.id().name()).waiting(Duration.ZERO);
        await().until(() -> other.refused(waits).compareTo(Duration.ofSeconds(1)) < 0);
        other.release(waits);
        probe.release(held);
    }

    private static void wakeIsHeard(Probe probe, Probe other, Form form, String name) {
        Claim held = form.opponent().of(probe, name);
        probe.granted(held);
        Claim waits = form.of(other, name);
        other.busy(waits.waiting(Duration.ZERO));
        assertThat(probe.release(held)).isTrue();
        await().until(() -> other.wakes.remove(waits.id()));
        other.granted(waits);
        assertThat(other.release(waits)).isTrue();
    }

    private static RedisServer server(int which) {
        return cluster.masters().get(which);
    }

    private static void resetCounts() {
        cluster.masters().forEach(server -> server.command("CONFIG", "RESETSTAT"));
    }

    /** How many messages of channels the servers have sent to each other. */
    private static long publishedOnTheBus() {
        return cluster.masters().stream()
                .flatMap(server -> server.command("CLUSTER", "INFO").lines())
                .filter(line -> line.startsWith("cluster_stats_messages_publish"))
                .filter(line -> line.contains("_sent:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private static boolean isSharded() {
        return !server(0).command("COMMAND", "INFO", "SPUBLISH").isEmpty();
    }

    /** Those of this probe: what a test before has closed may be there for a while. */
    private static List<String> inboxes(Probe probe, RedisServer server) {
        return server.list("PUBSUB", isSharded() ? "SHARDCHANNELS" : "CHANNELS", "interlock_inbox:*").stream()
                .filter(inbox -> inbox.endsWith(probe.id))
                .toList();
    }

    private static void assertHeld(Probe probe, List<Claim> claims) {
        assertThat(Probe.answer(probe.store.renew(claims)))
                .hasSize(claims.size())
                .allSatisfy((claim, renewal) -> assertThat(renewal).isEqualTo(Renewal.HELD));
    }

    private static String nameAt(RedisServer master) {
        return cluster.nameAt(master, "kinds-" + NAMES.incrementAndGet() + "-");
    }

    private static String listedAt(RedisServer master) {
        return cluster.nameAt(master, "listed-" + NAMES.incrementAndGet() + "-");
    }

    /** What can be held. */
    private record Form(LockKind kind, Mode mode) {

        Claim of(Probe probe, String name) {
            return probe.claim(name, kind, mode);
        }

        /** What it cannot be held beside. */
        Form opponent() {
            if (kind != LockKind.READ_WRITE) {
                return this;
            }
            return new Form(kind, mode instanceof Mode.Shared ? Mode.fair() : Mode.shared());
        }
    }
}
