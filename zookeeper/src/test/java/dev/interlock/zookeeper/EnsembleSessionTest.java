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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What becomes of one holder when its session ends, when it cannot reach any server, and when there is no majority of
 * servers (I1 to I4).
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EnsembleSessionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final LeaseTerm TERM = LeaseTerm.renewing(Duration.ofSeconds(30));
    private static final String SESSION = "?session=4s";

    private static ZooKeeperEnsemble ensemble;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void startServers() {
        ensemble = ZooKeeperEnsemble.start();
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

    @Test
    void P21_aHolderWhoseSessionHasEndedIsToldSo_andItsLateWriteIsRefused() throws Exception {
        Interlock holder = client(ensemble.uri());
        DistributedLock lock = holder.lock("ended");
        lock.lock(TERM);
        Lease lease = lock.heldLease();
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        FencedCell cell = new FencedCell();
        assertThat(cell.write(lease.token(), "holder", value -> value + 1)).isTrue();

        Set<Long> sessions = ensemble.awaitLeader().sessions();
        sessions.forEach(ensemble::expire);
        Lease next = client(ensemble.uri()).lock("ended").acquire(TERM);

        assertThat(lost.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
                .isEqualTo(LossCause.SESSION_LOST);
        assertThat(lease.isValid()).isFalse();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(cell.write(next.token(), "next", value -> value + 1)).isTrue();
        assertThat(cell.write(lease.token(), "holder", value -> value + 1)).isFalse();
        assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** The negative control of the test before: sessions of others are nothing to a holder. */
    @Test
    void aHolderKeepsItsLockWhenTheSessionsOfOthersEnd() throws Exception {
        Lease lease = client(ensemble.uri()).lock("kept").acquire(TERM);
        Set<Long> own = new HashSet<>(ensemble.awaitLeader().sessions());
        Lease other = client(ensemble.uri()).lock("another").acquire(TERM);
        Set<Long> sessions = new HashSet<>(ensemble.awaitLeader().sessions());
        sessions.removeAll(own);
        assertThat(sessions).isNotEmpty();

        sessions.forEach(ensemble::expire);

        await().atMost(PATIENCE).until(() -> !other.isValid());
        lease.ensureValid();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** I4: the holder knows before the servers can give its lock to another. */
    @Test
    void P01_aHolderThatReachesNoServerKnowsItBeforeAnotherHolds() throws Exception {
        List<FaultProxy> proxies =
                ensemble.servers().stream().map(FaultProxy::to).toList();
        open.addAll(proxies);
        Interlock holder = client("zk://" + ZooKeeperEnsemble.connectString(proxies));
        Interlock waiter = client(ensemble.uri());
        Lease lease = holder.lock("unreachable").acquire(TERM);
        long begin = System.nanoTime();
        CompletableFuture<Long> told = new CompletableFuture<>();
        List<LossCause> causes = new ArrayList<>();
        lease.onLost(cause -> {
            causes.add(cause);
            told.complete(System.nanoTime());
        });
        assertThat(lease.isValid()).isTrue();

        proxies.forEach(FaultProxy::blackHole);
        Lease next = waiter.lock("unreachable").acquire(TERM);
        long nextBegin = System.nanoTime();

        assertThat(lease.isValid()).as("still valid when another holds").isFalse();
        long end = told.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(end - nextBegin).as("told after another holds").isNegative();
        assertThat(causes).hasSize(1);
        assertThat(causes.get(0)).isIn(LossCause.SESSION_LOST, LossCause.STORE_UNREACHABLE);
        assertThat(proxies.stream()
                                .mapToLong(proxy -> proxy.heldBytes(Direction.TO_SERVER))
                                .sum()
                        + proxies.stream()
                                .mapToLong(proxy -> proxy.heldBytes(Direction.TO_CLIENT))
                                .sum())
                .isPositive();
        HistoryChecker history = new HistoryChecker();
        history.add(new Hold("unreachable", "holder", lease.token(), begin, end));
        history.add(new Hold("unreachable", "next", next.token(), nextBegin, System.nanoTime()));
        history.check();
        // The negative control: a holder that looks at nothing would have gone on.
        history.add(new Hold("unreachable", "careless", lease.token(), begin, System.nanoTime()));
        assertThat(history.violations()).isNotEmpty();
        next.close();
    }

    /** I7, and no caller waits longer than it wants to. */
    @Test
    void P10_withoutAMajorityCallsEndInTime_andGoOnWhenThereIsOne() throws Exception {
        Interlock client = client(ensemble.uri());
        DistributedLock lock = client.lock("majority");
        lock.tryAcquire(Duration.ofSeconds(10), TERM).orElseThrow().close();
        ZooKeeperServer leader = ensemble.awaitLeader();
        ZooKeeperServer follower = ensemble.followers().get(0);
        leader.kill();
        follower.kill();
        await().atMost(PATIENCE)
                .until(() -> ensemble.servers().stream().allMatch(server -> server.role() == Role.NONE));

        for (Duration budget : List.of(Duration.ZERO, Duration.ofMillis(200), Duration.ofSeconds(1))) {
            long begin = System.nanoTime();
            assertThat(outcome(lock, budget)).isNotEqualTo("held");
            // A try without a time ends with the client's time-out for one attempt.
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(budget.plusSeconds(4));
        }

        leader.launchAgain();
        follower.launchAgain();
        ensemble.awaitWhole();
        Optional<Lease> again = await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> lock.tryAcquire(Duration.ofSeconds(5), TERM), Optional::isPresent);
        assertThat(again.orElseThrow().release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private Interlock client(String uri) {
        Interlock client = Interlock.connect(uri + SESSION);
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
