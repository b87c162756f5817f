package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Test;

/**
 * The steps of a claim are executed one after the other, also when a step is still under way, or the session ends in
 * between.
 */
class ClaimStepsTest extends OverProxy {

    @Test
    void aReplacement_comesAfterItsPredecessorHasGone() {
        replaceWhileARenewalIsUnderWay(LockId.lock("replaced"), Mode.exclusive());
    }

    @Test
    void aReplacement_ofAllPermits_comesAfterItsPredecessorHasGone() {
        replaceWhileARenewalIsUnderWay(new LockId("replaced", LockKind.SEMAPHORE), new Mode.Permits(2, 2));
    }

    /**
     * The removal waits for the renewal's answer, which is held back. If the new claim did not wait for the removal, it
     * would find its own predecessor in the way: nobody else wants the name, and still it would be busy.
     */
    private void replaceWhileARenewalIsUnderWay(LockId id, Mode mode) {
        Claim first = probe.claim(id, mode).waiting(Duration.ZERO);
        probe.granted(first);
        proxy.blackHole(Direction.TO_CLIENT);
        CompletableFuture<Map<Claim, Renewal>> renewed =
                probe.store.renew(List.of(first)).toCompletableFuture();
        Claim second = probe.claim(id, mode).waiting(Duration.ZERO).replacing(first.owner());
        long writes = sent.writes();
        CompletableFuture<Attempt> replaced = probe.store.acquire(second).toCompletableFuture();
        asked(LockId.lock("later"));
        assertThat(renewed).isNotDone();
        assertThat(sent.writes()).as("nothing is removed or made yet").isEqualTo(writes);

        proxy.heal();

        assertThat(Probe.answer(renewed)).containsEntry(first, Renewal.HELD);
        assertThat(Probe.answer(replaced)).isInstanceOf(Attempt.Granted.class);
        assertThat(probe.renew(first)).isNotEqualTo(Renewal.HELD);
    }

    /**
     * The servers remove a parent that is empty: that of permits, when nobody has any, although others are in the
     * queue.
     */
    @Test
    void permits_areTaken_whenTheParentOfTheirNodesHasGone() throws Exception {
        LockId id = new LockId("removed", LockKind.SEMAPHORE);
        Mode.Permits both = new Mode.Permits(2, 2);
        Claim first = probe.claim(id, both);
        probe.granted(first);
        SERVER.client().create().forPath("/removed/locks/somebody");
        probe.release(first);
        SERVER.client().delete().forPath("/removed/leases");

        probe.granted(probe.claim(id, both).waiting(Duration.ZERO));
    }

    /** The same for a claim that becomes the first in the queue then, and has to watch a missing node. */
    @Test
    void permits_areTakenByTheNext_whenTheParentOfTheirNodesHasGone() throws Exception {
        LockId id = new LockId("next", LockKind.SEMAPHORE);
        String first = SERVER.client()
                .create()
                .creatingParentContainersIfNeeded()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .forPath("/next/locks/_c_" + UUID.randomUUID() + "-lock-");
        Claim waiting = probe.claim(id, new Mode.Permits(1, 2)).waiting(Duration.ZERO);
        probe.busy(waiting);
        assertThat(SERVER.client().checkExists().forPath("/next/leases")).isNull();

        SERVER.client().delete().forPath(first);

        await().until(() -> probe.woken.contains(waiting.owner()));
        probe.granted(waiting);
    }

    /** The store executes one task after the other: when this request has been sent, all earlier ones have begun. */
    private void asked(LockId id) {
        long before = sent.listings();
        var unused = probe.store.inspect(id);
        await().until(() -> sent.listings() > before);
    }

    /**
     * It asks while there is no connection, and has another session when it is answered: its node went with the old
     * one.
     */
    @Test
    void aWaiterOfALatch_queuesAgain_whenItsSessionEndsWhileItAsks() throws Exception {
        LockId id = new LockId("latch", LockKind.LATCH);
        Set<Long> others = SERVER.server().sessions();
        probe.executed(probe.command(id, new Command.SetCount(1)));
        Claim waiting = probe.claim(id, new Mode.AwaitZero()).waiting(Duration.ZERO);
        probe.busy(waiting);
        assertThat(waiters()).hasSize(1);
        Set<Long> mine = SERVER.server().sessions();
        mine.removeAll(others);
        proxy.blackHole(Direction.TO_CLIENT);
        mine.forEach(SERVER::expire);
        proxy.reset();
        // It has connected again, and cannot receive yet that its session is over.
        await().until(() -> proxy.connections() > 0);
        // Asks once more if a busy machine is so slow to connect that the store gives up.
        Caller<Attempt> asking = Caller.start(() -> BlockingClient.repeated(() -> probe.store.acquire(waiting)));
        asking.awaitBlocked();

        proxy.heal();

        assertThat(asking.result()).isInstanceOf(Attempt.Busy.class);
        assertThat(waiters()).hasSize(1);
        assertThat(SERVER.server().sessions()).doesNotContainAnyElementsOf(mine);
    }

    /** The server has ended the session, and the client asks before it hears of that. */
    @Test
    void aLeaseWhoseSessionHasEnded_hasNoNodes() throws Exception {
        Set<Long> others = SERVER.server().sessions();
        ZooKeeperStore store = ZooKeeperStore.at(uri());
        try (Interlock client = Interlock.builder(store).build()) {
            Lease lease = client.lock("ended").acquire();
            Set<Long> mine = SERVER.server().sessions();
            mine.removeAll(others);
            proxy.blackHole(Direction.TO_CLIENT);
            mine.forEach(SERVER::expire);
            proxy.reset();
            await().until(() -> proxy.connections() > 0);
            CompletableFuture<List<LockNode>> nodes = store.nodes(lease).toCompletableFuture();

            proxy.heal();

            assertThat(nodes.get(Patience.seconds(), TimeUnit.SECONDS)).isEmpty();
        }
    }

    private static List<String> waiters() throws Exception {
        return SERVER.children("/latch/waiters");
    }
}
