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
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.history.FencedCell;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.ZooKeeperEnsemble;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.server.ZooKeeperServer.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One holder when its session ends, when it cannot reach any server, and when there is no majority of servers (I1 to
 * I4).
 */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EnsembleSessionTest {

    private static final LeaseTerm TERM = LeaseTerm.renewing(Duration.ofMinutes(5));

    /** A session that does not end by itself. */
    private static final String LONG = "?session=5m";

    /** A session whose end the test waits for. */
    private static final String SHORT = "?session=4s";

    private static ZooKeeperEnsemble ensemble;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void startServers() {
        // The servers do not part by themselves, however busy the machine is.
        ensemble = ZooKeeperEnsemble.start(settings -> settings.config("syncLimit=300"));
    }

    @AfterAll
    static void stopServers() {
        ensemble.close();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    @Tag("long")
    @Test
    void P21_holderWhoseSessionEnded_isTold_lateWriteIsRefused() throws Exception {
        Set<Long> others = ensemble.awaitLeader().sessions();
        Interlock holder = client(ensemble.uri());
        DistributedLock lock = holder.lock("ended");
        lock.lock(TERM);
        Lease lease = lock.heldLease();
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        FencedCell cell = new FencedCell();
        assertThat(cell.write(lease.token(), "holder", value -> value + 1)).isTrue();

        Set<Long> sessions = sessionsBut(others);
        sessions.forEach(ensemble::expire);
        Lease next = client(ensemble.uri()).lock("ended").acquire(TERM);

        assertThat(lost.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join()).isEqualTo(LossCause.SESSION_LOST);
        assertThat(lease.isValid()).isFalse();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(cell.write(next.token(), "next", value -> value + 1)).isTrue();
        assertThat(cell.write(lease.token(), "holder", value -> value + 1)).isFalse();
        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** The negative control of the test before: sessions of others are nothing to a holder. */
    @Tag("long")
    @Test
    void sessionsOfOthersThatEnd_costAHolderNothing() throws Exception {
        Lease lease = client(ensemble.uri()).lock("kept").acquire(TERM);
        Set<Long> own = ensemble.awaitLeader().sessions();
        Lease other = client(ensemble.uri()).lock("another").acquire(TERM);
        Set<Long> sessions = sessionsBut(own);

        sessions.forEach(ensemble::expire);

        await().until(() -> !other.isValid());
        lease.ensureValid();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** I4: the lease of the holder is over before the servers can give its lock to another. */
    @Tag("long")
    @Test
    void P01_aHolderThatReachesNoServer_holdsNothingWhenAnotherHolds() throws Exception {
        Cut cut = new Cut("unreachable");
        AtomicLong lastValid = new AtomicLong(System.nanoTime());
        Thread watching = new Thread(() -> {
            long moment = System.nanoTime();
            while (cut.lease.isValid()) {
                lastValid.set(moment);
                moment = System.nanoTime();
            }
        });
        watching.start();

        Lease next = cut.acquireByAnother();
        long nextBegin = System.nanoTime();

        assertThat(cut.lease.isValid()).as("still valid when another holds").isFalse();
        watching.join(Patience.limit().toMillis());
        cut.awaitTold();
        cut.awaitStruck();
        assertThat(cut.causes).hasSize(1);
        assertThat(cut.causes.get(0)).isIn(LossCause.SESSION_LOST, LossCause.STORE_UNREACHABLE);
        HistoryChecker history = new HistoryChecker();
        history.add(new Hold("unreachable", "holder", cut.lease.token(), cut.begin, lastValid.get()));
        history.add(new Hold("unreachable", "next", next.token(), nextBegin, System.nanoTime()));
        history.check();
        // The negative control: a holder that never looks would have gone on.
        history.add(new Hold("unreachable", "careless", cut.lease.token(), cut.begin, System.nanoTime()));
        assertThat(history.violations()).isNotEmpty();
        next.close();
    }

    /** I4: the callback of the holder runs before another holds. */
    @Tag(Effort.TIMING)
    @Test
    void P01_aHolderThatReachesNoServer_isToldBeforeAnotherHolds() throws Exception {
        Cut cut = new Cut("told");

        Lease next = cut.acquireByAnother();
        long nextBegin = System.nanoTime();

        assertThat(cut.awaitTold() - nextBegin).as("told after another holds").isNegative();
        cut.awaitStruck();
        next.close();
    }

    /** A holder, of a session that ends soon, which is cut off from all servers. */
    private final class Cut {
        final Lease lease;
        final long begin;
        final List<LossCause> causes = new CopyOnWriteArrayList<>();
        private final String name;
        private final List<FaultProxy> proxies =
                ensemble.servers().stream().map(FaultProxy::to).toList();
        private final CompletableFuture<Long> told = new CompletableFuture<>();

        Cut(String name) throws InterruptedException {
            this.name = name;
            open.addAll(proxies);
            Interlock holder = client("zk://" + ZooKeeperEnsemble.connectString(proxies), SHORT);
            lease = await().until(() -> holder.lock(name).acquire(TERM), Lease::isValid);
            begin = System.nanoTime();
            lease.onLost(cause -> {
                causes.add(cause);
                told.complete(System.nanoTime());
            });
        }

        Lease acquireByAnother() throws InterruptedException {
            proxies.forEach(FaultProxy::blackHole);
            return client(ensemble.uri()).lock(name).acquire(TERM);
        }

        /** Returns when the cut has held something back. */
        void awaitStruck() {
            await().until(() -> held(Direction.TO_SERVER) + held(Direction.TO_CLIENT) > 0);
        }

        private long held(Direction direction) {
            return proxies.stream()
                    .mapToLong(proxy -> proxy.heldBytes(direction))
                    .sum();
        }

        /** When the callback ran. */
        long awaitTold() {
            return told.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join();
        }
    }

    /** I7: nobody is granted anything by a minority. */
    @Tag("long")
    @Test
    void withoutAMajority_nothingIsGranted_andCallsGoOnWhenThereIsOne() throws Exception {
        loseTheMajority(Patience.limit());
    }

    /** No caller waits longer than it wants to. A try without a time ends with the time-out of one attempt. */
    @Tag(Effort.TIMING)
    @Test
    void P10_withoutAMajority_callsEndInTime() throws Exception {
        loseTheMajority(Duration.ofSeconds(4));
    }

    private void loseTheMajority(Duration late) throws Exception {
        Interlock client = Interlock.connect(ensemble.uri() + SHORT);
        open.add(0, client);
        DistributedLock lock = client.lock("majority");
        lock.acquire(TERM).close();
        ZooKeeperServer leader = ensemble.awaitLeader();
        ZooKeeperServer follower = ensemble.followers().get(0);
        leader.kill();
        follower.kill();
        await().until(() -> ensemble.servers().stream().allMatch(server -> server.role() == Role.NONE));

        for (Duration budget : List.of(Duration.ZERO, Duration.ofMillis(200), Duration.ofSeconds(1))) {
            long begin = System.nanoTime();
            assertThat(outcome(lock, budget)).isNotEqualTo("held");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(budget.plus(late));
        }

        leader.launchAgain();
        follower.launchAgain();
        ensemble.awaitWhole();
        // A session as short as this may end while the machine stands still.
        await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(
                        () -> lock.tryAcquire(Duration.ofSeconds(5), TERM).map(Lease::release),
                        Optional.of(ReleaseOutcome.RELEASED)::equals);
    }

    /** The sessions that have begun since. */
    private static Set<Long> sessionsBut(Set<Long> before) {
        Set<Long> begun = new HashSet<>(ensemble.awaitLeader().sessions());
        begun.removeAll(before);
        assertThat(begun).isNotEmpty();
        return begun;
    }

    private Interlock client(String uri) {
        return client(uri, LONG);
    }

    private Interlock client(String uri, String session) {
        Interlock client = TestServer.patient(ZooKeeperStore.at(uri + session));
        open.add(0, client);
        return client;
    }

    private static String outcome(DistributedLock lock, Duration budget) throws InterruptedException {
        try {
            return lock.tryLock(budget) ? "held" : "not held";
        } catch (StoreUnavailableException e) {
            return "unavailable";
        }
    }
}
