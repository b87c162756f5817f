package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.zookeeper.node.NodeName;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims are bound to the session, and lost with it (I2, I4, P01, P21). */
class SessionTest {

    /** A session whose end the test waits for. */
    private static final Duration SHORT = Duration.ofSeconds(4);

    /** Half of its time-out is longer than a test waits for anything. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private static Interlock open(String uri) {
        return TestServer.patient(ZooKeeperStore.at(uri));
    }

    /** Ends the sessions that have begun since. */
    private static void expireAllBut(Set<Long> before) {
        Set<Long> begun = SERVER.server().sessions();
        begun.removeAll(before);
        assertThat(begun).isNotEmpty();
        begun.forEach(SERVER::expire);
    }

    /** The session ends on the servers: the holder is notified, and a re-entry throws. */
    @Test
    void P21_expiredSession_isLost_andAReEntryThrows() throws Exception {
        Set<Long> before = SERVER.server().sessions();
        try (Interlock client = open(SERVER.uri())) {
            DistributedLock lock = client.lock("expired");
            lock.lock(LONG);
            Lease lease = lock.heldLease();
            Queue<LossCause> told = new ConcurrentLinkedQueue<>();
            lease.onLost(told::add);

            expireAllBut(before);
            await().until(() -> !lease.isValid());
            try (Interlock other = open(SERVER.uri())) {
                other.lock("expired").acquire().close();
            }

            assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
            await().until(() -> !told.isEmpty());
            assertThat(told).containsExactly(LossCause.SESSION_LOST);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.SESSION_LOST));
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
            // And it goes on with another session.
            lock.lock();
            lock.unlock();
        }
    }

    /**
     * The session ends before its time, and nobody looks: the callback runs at once all the same, and not when the
     * session would have ended.
     */
    @Test
    void P01_aSessionThatTheServersEnd_isToldAtOnce() throws Exception {
        Set<Long> before = SERVER.server().sessions();
        try (Interlock client = open(SERVER.uri("", LONGEST))) {
            Lease lease = client.lock("ended").acquire(LONG);
            CompletableFuture<LossCause> told = new CompletableFuture<>();
            lease.onLost(told::complete);

            expireAllBut(before);

            assertThat(told.get(LONGEST.toSeconds() * 2 / 5, TimeUnit.SECONDS)).isEqualTo(LossCause.SESSION_LOST);
        }
    }

    /** The application closes its client, and with it the session, before it closes the store. */
    @Test
    void P01_aSessionThatTheApplicationEnds_isNotReliedUpon() throws Exception {
        endSessionOfApplication(true, Patience.limit());
    }

    /** The callback runs also if nobody looks. */
    @Test
    void P01_aSessionThatTheApplicationEnds_isTold() throws Exception {
        endSessionOfApplication(false, Patience.limit());
    }

    /** The callback does not wait for the end of the tether, half of the time-out later. */
    @Tag(Effort.TIMING)
    @Test
    void P01_aSessionThatTheApplicationEnds_isToldSoon() throws Exception {
        endSessionOfApplication(false, Duration.ofSeconds(10));
    }

    private static void endSessionOfApplication(boolean somebodyLooks, Duration limit) throws Exception {
        CuratorFramework own = SERVER.another(Duration.ofSeconds(24));
        try (Interlock client = TestServer.patient(ZooKeeperStore.over(own))) {
            Lease lease = client.lock("closed").acquire(LONG);
            CompletableFuture<LossCause> told = new CompletableFuture<>();
            lease.onLost(told::complete);

            own.close();

            if (somebodyLooks) {
                assertThat(lease.isValid()).isFalse();
            }
            assertThat(told.get(limit.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo(LossCause.SESSION_LOST);
        } finally {
            own.close();
        }
    }

    /**
     * A lease that nobody renews, and that is far longer than the session, ends here before the servers give it away.
     */
    @Test
    void P01_cutOff_aLongLease_endsBeforeAnotherHolds() throws Exception {
        FaultProxy proxy = FaultProxy.to(SERVER.server());
        try (Interlock client = open(SERVER.server().uriAt(proxy.port()) + "?session=" + SHORT);
                Interlock other = open(SERVER.uri())) {
            Lease lease = client.lock("cut").acquire(LONG);
            Queue<LossCause> told = new ConcurrentLinkedQueue<>();
            lease.onLost(told::add);
            proxy.blackHole();

            try (Lease next = other.lock("cut").acquire()) {
                assertThat(lease.isValid()).isFalse();
                assertThat(next.token()).isGreaterThan(lease.token());
            }

            await().until(() -> proxy.heldBytes(Direction.TO_SERVER) > 0);
            await().until(() -> !told.isEmpty());
            assertThat(told).containsExactly(LossCause.SESSION_LOST);
            proxy.heal();
            assertThat(lease.isValid()).isFalse();
        } finally {
            proxy.close();
        }
    }

    /** The negative control: a break after which the client connects again loses nothing. */
    @Test
    void P01_control_aShortBreak_losesNothing() throws Exception {
        FaultProxy proxy = FaultProxy.to(SERVER.server());
        try (Interlock client = open(SERVER.server().uriAt(proxy.port()) + "?session=" + LONGEST)) {
            Lease lease = client.lock("short").acquire(LeaseTerm.renewing(LONGEST));
            proxy.reset();
            await().until(() -> proxy.resets() > 0 && proxy.connections() > 0);

            client.lock("another").acquire().close();

            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        } finally {
            proxy.close();
        }
    }

    /** The break costs the lease though the session lives on, and its node goes as soon as the client is back. */
    @Test
    void aShortBreak_losesTheLeases_ifTheyEndAtSuspended() throws Exception {
        FaultProxy proxy = FaultProxy.to(SERVER.server());
        String uri = SERVER.server().uriAt(proxy.port()) + "?session=" + LONGEST;
        try (Interlock client = TestServer.patient(ZooKeeperStore.builder(uri)
                        .endOfLeases(EndOfLeases.AT_SUSPENDED)
                        .build());
                Interlock other = open(SERVER.uri())) {
            DistributedLock lock = client.lock("suspended");
            Lease lease = lock.acquire(LONG);
            Lease permits = client.semaphore("suspended-permits", 2).acquire(2, LONG);
            CompletableFuture<LossCause> told = new CompletableFuture<>();
            lease.onLost(told::complete);

            proxy.reset();

            assertThat(told.get(LONGEST.toSeconds() * 2 / 5, TimeUnit.SECONDS)).isEqualTo(LossCause.SESSION_LOST);
            await().until(() -> !permits.isValid());
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.SESSION_LOST));
            other.lock("suspended").acquire().close();
            other.semaphore("suspended-permits", 2).acquire(2).close();
            try (Lease next = lock.acquire(LONG)) {
                assertThat(next.isValid()).isTrue();
            }
        } finally {
            proxy.close();
        }
    }

    @Test
    void theWholeTimeOutCounts_ifLeasesEndAtLost() {
        ZooKeeperStore store = ZooKeeperStore.builder(SERVER.uri("", LONGEST))
                .endOfLeases(EndOfLeases.AT_LOST)
                .build();
        try (Probe probe = new Probe(store).connected()) {
            long left = probe.granted(probe.claim("whole")).tether().leftNanos();

            // The servers may have granted less than the time-out that was asked for, but half of it is not that long.
            assertThat(left).isGreaterThan(LONGEST.dividedBy(2).toNanos());
        }
    }

    /**
     * The session was to be proved twice meanwhile, and the next proof would be too late; nobody sends anything. What
     * is left is a sixth of the time-out.
     */
    @Tag(Effort.TIMING)
    @Test
    void P01_aBreakOfAThirdOfTheTimeOut_losesNothing() {
        Duration session = Duration.ofSeconds(9);
        FaultProxy proxy = FaultProxy.to(SERVER.server());
        try (Probe probe =
                new Probe(ZooKeeperStore.at(SERVER.server().uriAt(proxy.port()) + "?session=" + session)).connected()) {
            Attempt.Granted granted = probe.granted(probe.claim("a-third"));
            long atFirst = granted.tether().leftNanos();
            proxy.blackHole();
            proxy.reset();
            long broken = session.dividedBy(3).plusMillis(100).toNanos();
            await().until(() -> granted.tether().leftNanos() < atFirst - broken);
            assertThat(proxy.heldBytes(Direction.TO_SERVER)).isPositive();

            proxy.heal();

            await().until(() -> granted.tether().leftNanos() > atFirst / 2);
        } finally {
            proxy.close();
        }
    }

    @Test
    void renew_afterTheSession_saysSo_andReleaseIsFalse() {
        Set<Long> before = SERVER.server().sessions();
        try (Probe probe = SERVER.probe()) {
            Claim held = probe.claim("renewed");
            Claim waiting = probe.waiting("renewed");
            Attempt.Granted granted = probe.granted(held);
            probe.busy(waiting);
            assertThat(granted.tether().leftNanos())
                    .isPositive()
                    .isLessThan(TestServer.LONG_SESSION.dividedBy(2).toNanos());

            expireAllBut(before);

            await().until(() -> granted.tether().leftNanos() <= 0);
            assertThat(probe.renew(held)).isEqualTo(Renewal.SESSION_LOST);
            assertThat(probe.release(held)).isFalse();
            // The waiting one has lost its place, and finds a free lock.
            await().until(() -> probe.woken.contains(waiting.owner()));
            probe.granted(waiting);
        }
    }

    /**
     * The connection is away for longer than we may rely on, but not for so long that the servers end the session: what
     * it had does not stay in the way.
     */
    @Test
    void aClaimThatWasLostHere_isRemoved_whenTheConnectionIsBack() throws Exception {
        FaultProxy proxy = FaultProxy.to(SERVER.server());
        try (Interlock client = open(SERVER.server().uriAt(proxy.port()) + "?session=PT15S");
                Probe other = SERVER.probe()) {
            Lease lease = client.lock("lost-here").acquire(LONG);
            proxy.blackHole();
            await().until(() -> !lease.isValid());
            other.busy(other.claim("lost-here"));

            proxy.heal();

            await().until(() -> Probe.answer(other.store.acquire(other.claim("lost-here"))) instanceof Attempt.Granted);
        } finally {
            proxy.close();
        }
    }

    /** As long as anything is held the session is proved, also for a lease that nobody renews. */
    @Test
    void aHeldClaim_keepsItsTether() {
        Duration session = Duration.ofSeconds(24);
        try (Probe probe = new Probe(ZooKeeperStore.at(SERVER.uri("", session))).connected()) {
            Attempt.Granted granted = probe.granted(probe.claim("kept"));
            AtomicLong least = new AtomicLong(Long.MAX_VALUE);

            // By itself the tether only becomes shorter.
            await().until(() -> {
                long left = granted.tether().leftNanos();
                return left > least.getAndAccumulate(left, Math::min);
            });
        }
    }

    /** A node of this very claim that an earlier session has made is in the way, and no grant; nor does it last. */
    @Test
    void P21_ghostOfAnOldSession_isNoGrant() throws Exception {
        try (Probe probe = SERVER.probe()) {
            Claim claim = probe.waiting("ghost");
            String ghost = "/ghost/" + NodeName.prefix(claim.owner()) + "lock-";
            String made = SERVER.client()
                    .create()
                    .creatingParentContainersIfNeeded()
                    .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                    .forPath(ghost);

            probe.busy(claim);
            SERVER.client().delete().forPath(made);

            await().until(() -> probe.woken.contains(claim.owner()));
            probe.granted(claim);
        }
    }

    @Test
    void aNodeDeletedByHand_isToldByTheNextRenewal() throws Exception {
        try (Probe probe = SERVER.probe()) {
            Claim claim = probe.claim("by-hand");
            probe.granted(claim);
            for (String child : SERVER.children("/by-hand")) {
                SERVER.client().delete().forPath("/by-hand/" + child);
            }

            // Of several servers, the one that answers may learn of it a moment later.
            await().until(() ->
                    !Probe.answer(probe.store.inspect(LockId.lock("by-hand"))).isLocked());

            assertThat(probe.renew(claim)).isEqualTo(Renewal.DELETED);
            assertThat(probe.release(claim)).isFalse();
        }
    }

    /** A waiting claim whose node is deleted by hand queues again. */
    @Test
    void aWaitingClaimWhoseNodeIsDeletedByHand_queuesAgain() throws Exception {
        try (Probe probe = SERVER.probe()) {
            Claim held = probe.claim("lined-up");
            Claim between = probe.waiting("lined-up");
            Claim waiting = probe.waiting("lined-up");
            probe.granted(held);
            probe.busy(between);
            probe.busy(waiting);
            deleteByHand("/lined-up", waiting);
            await().until(() -> probe.woken.contains(waiting.owner()));
            probe.release(between);

            probe.busy(waiting);
            probe.release(held);
            await().until(() ->
                    probe.woken.stream().filter(waiting.owner()::equals).count() == 2);
            probe.granted(waiting);
        }
    }

    /** I2: nor is it granted if it does not ask again; the claim behind it holds when it is its turn. */
    @Test
    void waitingClaim_whoseNodeIsDeleted_isNotGrantedBesideTheNext() throws Exception {
        try (Probe probe = SERVER.probe()) {
            Claim held = probe.claim("no-place");
            Claim deleted = probe.waiting("no-place");
            Claim next = probe.waiting("no-place");
            probe.granted(held);
            probe.busy(deleted);
            probe.busy(next);
            deleteByHand("/no-place", deleted);

            probe.release(held);

            await().until(() -> probe.woken.contains(next.owner()));
            probe.granted(next);
            probe.busy(deleted);
            probe.release(next);
            probe.granted(deleted);
        }
    }

    private static void deleteByHand(String path, Claim claim) throws Exception {
        for (String child : SERVER.children(path)) {
            if (child.startsWith(NodeName.prefix(claim.owner()))) {
                SERVER.client().delete().forPath(path + '/' + child);
            }
        }
    }

    /** A node whose creation was never confirmed is removed when the connection is back. */
    @Test
    void P09_aCreateWithAnUnknownOutcome_isTakenBack() throws Exception {
        FaultProxy proxy = FaultProxy.to(SERVER.server());
        try (Probe probe =
                new Probe(ZooKeeperStore.at(SERVER.server().uriAt(proxy.port()) + "?session=" + LONGEST)).connected()) {
            Claim first = probe.claim("unknown");
            probe.granted(first);
            probe.release(first);
            proxy.blackHole(Direction.TO_CLIENT);
            var asked = probe.store.acquire(probe.waiting("unknown")).toCompletableFuture();
            await().until(() -> !SERVER.children("/unknown").isEmpty());
            proxy.reset();
            proxy.heal();

            await().until(asked::isCompletedExceptionally);
            await().until(() -> SERVER.children("/unknown").isEmpty());
        } finally {
            proxy.close();
        }
    }
}
