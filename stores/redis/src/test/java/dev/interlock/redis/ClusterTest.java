package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster found by one of its servers: slots that move, servers that stand still. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private static RedisCluster cluster;
    private static RedisServer first;
    private static RedisServer second;

    @BeforeAll
    static void startServers() {
        // A master that is down makes the others refuse all keys, unless they are told not to.
        cluster = RedisCluster.start("cluster-require-full-coverage no");
        first = cluster.masters().get(0);
        second = cluster.masters().get(1);
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    @BeforeEach
    void reset() {
        resetCounts();
    }

    private static void resetCounts() {
        cluster.masters().forEach(server -> server.command("CONFIG", "RESETSTAT"));
    }

    /**
     * I5: what is published where the lock is counts only those who listen there. Acquires that replicas confirm do not
     * go over the link of all the rest.
     */
    @Test
    void whoHasOnlyWaitedWithReplicasListensWhereTheLockIs() {
        String name = nameAt(second);
        try (Probe holder = new Probe(first.uri());
                Probe waiter = new Probe(first.uri() + "?replicas=1")) {
            Claim held = holder.hold(name);
            Claim waiting = waiter.claim(name).waiting(Duration.ZERO);

            waiter.refused(waiting);
            await("a wake for the sake of being listed").until(() -> waiter.wakes.remove(held.id()));

            assertThat(listeners(second)).hasSize(1);
            assertThat(listeners(first)).isEmpty();
            waiter.refused(waiting);
            holder.release(held);
            await().until(() -> waiter.wakes.remove(held.id()));
        }
    }

    private static List<String> listeners(RedisServer server) {
        return server.command("CLIENT", "LIST", "TYPE", "pubsub")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anyServerLeadsToTheWholeCluster(int seed) throws Exception {
        long fewest = Patience.inTime(
                () -> Optional.of(looksOfOneThatLocksEverywhere(seed)).filter(looks -> looks <= 1));
        assertThat(fewest).isEqualTo(1);
    }

    /** How often it has asked who has what: on a machine that stalls for a second the next server is asked, too. */
    private static long looksOfOneThatLocksEverywhere(int seed) {
        List<String> names = cluster.masters().stream().map(ClusterTest::nameAt).toList();
        resetCounts();
        try (Probe probe = new Probe(cluster.masters().get(seed).uri())) {
            for (int i = 0; i < names.size(); i++) {
                RedisServer master = cluster.masters().get(i);
                String name = names.get(i);
                Claim held = probe.hold(name);
                assertThat(master.command("EXISTS", name)).isEqualTo("1");
                assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
                assertThat(probe.release(held)).isTrue();
            }
            return cluster.calls("cluster|slots");
        }
    }

    @Test
    void theSecondSeedServesIfTheFirstIsDown() {
        try (Probe probe = new Probe("redis://127.0.0.1:1,127.0.0.1:" + second.port())) {
            cluster.masters().forEach(master -> probe.release(probe.hold(nameAt(master))));
        }
    }

    @Test
    void severalServersThatAreNoClusterAreRefused() {
        try (RedisServer single = RedisServer.start();
                Probe probe = new Probe("redis://127.0.0.1:" + single.port() + ",127.0.0.1:1")) {
            assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("x"))))
                    .hasMessageContaining("Several hosts in a URI must be servers of one cluster");
        }
    }

    @Test
    void aDatabaseOfAClusterIsRefused() {
        try (Probe probe = new Probe(cluster.uri() + "/1")) {
            assertThat(Probe.failure(probe.store.acquire(probe.claim("x")))).isNotNull();
        }
    }

    @Test
    void aClientForOneServerDoesNotDoForACluster() {
        RedisClient client = RedisClient.create(cluster.uri());
        try (Probe probe = new Probe(RedisStore.over(client))) {
            assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("x"))))
                    .hasMessageContaining("open the store with RedisStore.at(uri)");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void P28_theDocumentedRightsAreEnough() {
        String documented = LeastRights.documented() + " +cluster|slots +asking";
        cluster.masters()
                .forEach(master -> master.command(("ACL SETUSER least reset on >secret " + documented).split(" ", -1)));
        String name = nameAt(first);
        try (Probe probe = new Probe("redis://least:secret@127.0.0.1:" + second.port());
                Probe other = new Probe("redis://least:secret@127.0.0.1:" + second.port())) {
            Claim held = probe.hold(name);
            move(cluster.slot(name), first, second, () -> assertThat(probe.renew(held))
                    .isEqualTo(Renewal.HELD));
            other.busy(other.claim(name).waiting(Duration.ZERO));
            assertThat(probe.release(held)).isTrue();
            await().until(() -> !other.wakes.isEmpty());
            move(cluster.slot(name), second, first, () -> {});
        }
    }

    /** The first look has learnt nothing: of a server that knows no slots yet, as of one that has answered too late. */
    @Test
    void whoHasWhatIsAskedForUntilItIsKnown() {
        try (RedisServer fresh = RedisServer.builder()
                        .forCluster()
                        .config("cluster-enabled yes")
                        .config("cluster-require-full-coverage no")
                        .start();
                Probe probe = new Probe(fresh.uri())) {
            var listed = probe.store.list("", 10);
            await().until(() -> fresh.calls("cluster|slots") > 0);
            assertThat(listed.toCompletableFuture()).isNotDone();
            fresh.command("CLUSTER", "ADDSLOTS", "0");

            assertThat(Probe.answer(listed)).isEmpty();
        }
    }

    @Test
    void P28_aRightToAskWhoHasWhatMayBeGivenLater() {
        String documented = LeastRights.documented() + " +asking";
        cluster.masters()
                .forEach(master -> master.command(("ACL SETUSER late reset on >secret " + documented).split(" ", -1)));
        try (Probe probe = new Probe("redis://late:secret@127.0.0.1:" + first.port())) {
            assertThat(Probe.refusal(() -> probe.store.list("late-", 10))).hasMessageContaining("lacks a right");
            cluster.masters().forEach(master -> master.command("ACL", "SETUSER", "late", "+cluster|slots"));

            await().ignoreExceptionsInstanceOf(AssertionError.class)
                    .until(() -> Probe.answer(probe.store.list("late-", 10)).isEmpty());
        }
    }

    /** One command for an acquire and one for a release, as on a single server, once it is known who has what. */
    @Test
    void aCallGoesStraightToItsMaster() {
        try (Probe probe = new Probe(cluster.uri())) {
            List<String> names =
                    cluster.masters().stream().map(ClusterTest::nameAt).toList();
            names.forEach(name -> probe.release(probe.hold(name)));
            resetCounts();
            names.forEach(name -> probe.release(probe.hold(name)));

            assertThat(cluster.calls("evalsha")).isEqualTo(6);
            assertThat(cluster.calls("cluster|slots") + cluster.calls("hello")).isZero();
        }
    }

    /** B13 asks for one command for each server and 100 leases; a claim lost on the way is told from the others. */
    @Test
    void aBatchIsRenewedByOneCommandForEachMaster() {
        try (Probe probe = new Probe(cluster.uri())) {
            List<Claim> claims = new ArrayList<>();
            cluster.masters()
                    .forEach(master -> IntStream.range(0, 100).forEach(i -> claims.add(probe.hold(nameAt(master)))));
            probe.renew(claims.get(0));
            probe.release(claims.get(7));
            resetCounts();

            Map<Claim, Renewal> renewed = Probe.answer(probe.store.renew(claims));

            assertThat(renewed).hasSize(300).containsEntry(claims.get(7), Renewal.DELETED);
            assertThat(renewed.values()).filteredOn(Renewal.HELD::equals).hasSize(299);
            // One more to learn why one is gone, and a script that is new to a server is asked for twice.
            assertThat(cluster.calls("evalsha") - 2 * cluster.calls("script|load"))
                    .isLessThanOrEqualTo(4);
            claims.forEach(probe::release);
        }
    }

    @Test
    void aSlotThatHasMovedIsFollowed() {
        String name = nameAt(first);
        int slot = cluster.slot(name);
        try (Probe probe = new Probe(cluster.uri())) {
            Claim held = probe.hold(name);
            move(slot, first, second, () -> {});
            try {
                assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
                assertThat(second.command("EXISTS", name)).isEqualTo("1");
                assertThat(probe.release(held)).isTrue();
                assertThat(probe.granted(probe.claim(name))).isPositive();
            } finally {
                move(slot, second, first, () -> {});
            }
        }
    }

    /** Both keys of a held lock have been moved, and the slot has not yet: whoever is asked sends us on. */
    @Test
    void aLockInAMovingSlotIsRenewedReleasedAndAskedFor() {
        String name = nameAt(first);
        String neighbour = "{" + name + "}2";
        try (Probe probe = new Probe(cluster.uri());
                Probe other = new Probe(cluster.uri())) {
            Claim held = probe.hold(name);
            Claim next = probe.hold(neighbour);
            long asked = cluster.calls("asking");
            move(cluster.slot(name), first, second, () -> {
                assertThat(Probe.answer(probe.store.renew(List.of(held, next))))
                        .containsOnly(Map.entry(held, Renewal.HELD), Map.entry(next, Renewal.HELD));
                assertThat(other.busy(other.claim(name))).isPositive();
                assertThat(cluster.calls("asking")).isGreaterThan(asked);
            });
            assertThat(probe.release(held)).isTrue();
            move(cluster.slot(name), second, first, () -> {});
        }
    }

    /**
     * A free name in a moving slot can be asked for on neither side: within the budget it waits for the end of the
     * move.
     */
    @Test
    void P25_aFreeNameInAMovingSlotIsAskedForAFewTimes() {
        String name = nameAt(first);
        try (Probe probe = new Probe(cluster.uri())) {
            probe.hold(nameAt(first));
            probe.hold(nameAt(second));
            move(cluster.slot(name), first, second, () -> {
                resetCounts();
                assertThat(Probe.failure(probe.store.acquire(probe.claim(name))))
                        .hasMessageContaining("TRYAGAIN");
                // One here, two there: three times round is the budget. The servers do not count what they turn away.
                assertThat(cluster.calls("asking")).isEqualTo(3);
            });
            move(cluster.slot(name), second, first, () -> {});
            probe.hold(name);
        }
    }

    @Test
    void P25_aCallInAMovingSlotIsAnsweredWhenTheMoveEnds() {
        try (Probe probe = new Probe(cluster.uri())) {
            probe.hold(nameAt(first));
            probe.hold(nameAt(second));
            boolean answered = false;
            for (int left = 50; !answered; left--) {
                assertThat(left).as("attempts").isPositive();
                answered = isAnsweredWhenTheMoveEnds(probe, nameAt(first));
            }
        }
    }

    /** False if the move took longer than the call's budget lasts. */
    private static boolean isAnsweredWhenTheMoveEnds(Probe probe, String name) {
        List<CompletableFuture<Attempt>> asked = new ArrayList<>();
        AtomicBoolean begun = new AtomicBoolean();
        move(cluster.slot(name), first, second, () -> {
            resetCounts();
            asked.add(probe.store.acquire(probe.claim(name)).toCompletableFuture());
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> cluster.calls("asking") >= 1);
            // The fault: it has been asked for, in vain so far.
            begun.set(!asked.get(0).isDone());
        });
        try {
            return Probe.answer(asked.get(0)) instanceof Attempt.Granted && begun.get();
        } catch (AssertionError e) {
            assertThat(e).hasMessageContaining("TRYAGAIN");
            return false;
        } finally {
            move(cluster.slot(name), second, first, () -> {});
        }
    }

    /** I2: nobody comes in twice while a slot goes to and fro under those who lock in it. */
    @Test
    @Tag(Effort.SCALED)
    void locksExcludeWhileTheirSlotMoves() throws Exception {
        String name = nameAt(first);
        int[] entered = new int[1];
        int turns = Effort.pick(60, 2_000);
        AtomicInteger running = new AtomicInteger(4);
        try (Interlock one = Interlock.connect(cluster.uri());
                Interlock other = Interlock.connect(cluster.uri())) {
            List<CompletableFuture<Void>> all = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> {
                        DistributedLock lock = (i % 2 == 0 ? one : other).lock(name);
                        for (int turn = 0; turn < turns; turn++) {
                            lock.run(() -> entered[0]++);
                        }
                        running.decrementAndGet();
                    }))
                    .toList();
            int moves = 0;
            while (running.get() > 0 || moves < 2) {
                move(cluster.slot(name), first, second, () -> {});
                move(cluster.slot(name), second, first, () -> {});
                moves += 2;
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
            assertThat(entered[0]).isEqualTo(4 * turns);
        }
    }

    /** The criterion: 59 of 59 locks on healthy masters were lost elsewhere. */
    @Test
    void P05_aFrozenMasterCostsTheLocksOnOthersNothing() throws InterruptedException {
        // A machine that stalls for six seconds still renews in time.
        LeaseTerm term = LeaseTerm.renewing(Duration.ofSeconds(10));
        AtomicInteger lost = new AtomicInteger();
        List<Lease> healthy = new ArrayList<>();
        List<Lease> frozen = new ArrayList<>();
        try (Interlock client = Interlock.connect(cluster.uri())) {
            for (int i = 0; i < 60; i++) {
                RedisServer master = cluster.masters().get(i % 3);
                DistributedLock lock = client.lock(nameAt(master));
                Lease lease = lock.acquire(term);
                (master == second ? frozen : healthy).add(lease);
                if (master != second) {
                    lease.onLost(cause -> lost.incrementAndGet());
                }
            }
            cluster.nodeTimeout(Duration.ofSeconds(1));
            second.stop();
            try {
                // The negative control: those on the frozen one cannot be kept, so the fault was there, and long
                // enough.
                await().until(() -> frozen.stream().noneMatch(Lease::isValid));
                assertThat(second.state()).isEqualTo('T');
                assertThat(healthy).allMatch(Lease::isValid);
                client.lock(nameAt(first)).run(() -> {});
            } finally {
                second.cont();
                awaitCluster();
                cluster.nodeTimeout(Patience.FULL);
            }
            assertThat(lost).hasValue(0);
        }
    }

    private static void awaitCluster() {
        cluster.masters().forEach(server -> await().until(
                        () -> server.command("CLUSTER", "INFO").contains("cluster_slots_ok:16384")));
    }

    private static void move(int slot, RedisServer from, RedisServer to, Runnable meanwhile) {
        cluster.beginMove(slot, from, to);
        try {
            cluster.moveKeys(slot, from, to);
            meanwhile.run();
        } finally {
            cluster.moveKeys(slot, from, to);
            cluster.endMove(slot, from, to);
        }
    }

    private static String nameAt(RedisServer master) {
        return cluster.nameAt(master, "cluster-" + NAMES.incrementAndGet() + "-");
    }
}
