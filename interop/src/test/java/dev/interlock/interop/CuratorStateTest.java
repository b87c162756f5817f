package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What each side sees of the other's hold, and that each hears of the other's release (I2, I5, I8). Who does not hear
 * of it finds out when it asks again: ours after a poll cap that no wake comes near, Curator never.
 */
class CuratorStateTest {

    private static final Duration POLL_CAP = Duration.ofSeconds(60);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final int ROUNDS = 3;

    private static ZooKeeperClients clients;
    private static CuratorFramework curator;
    private static ExecutorService threads;

    @BeforeAll
    static void open() {
        clients = new ZooKeeperClients();
        curator = clients.curator();
        threads = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void close() {
        threads.shutdownNow();
        clients.close();
    }

    @Test
    void whatWeHoldCuratorDoesNotGet_howeverOftenWeHoldIt() throws Exception {
        DistributedLock ours = clients.interlock().lock("a");
        InterProcessMutex theirs = new InterProcessMutex(curator, "/a");
        ours.lock();
        ours.lock();
        assertThat(theirs.acquire(0, TimeUnit.SECONDS)).isFalse();
        assertThat(theirs.getParticipantNodes()).hasSize(1);
        ours.unlock();
        assertThat(theirs.acquire(0, TimeUnit.SECONDS)).isFalse();
        ours.unlock();
        assertThat(theirs.acquire(0, TimeUnit.SECONDS)).isTrue();
        theirs.release();
    }

    @Test
    void whatCuratorHoldsWeDoNotGet_howeverOftenItHoldsIt() throws Exception {
        DistributedLock ours = clients.interlock().lock("b");
        InterProcessMutex theirs = new InterProcessMutex(curator, "/b");
        theirs.acquire();
        theirs.acquire();
        assertThat(ours.tryLock()).isFalse();
        assertThat(ours.isLocked()).isTrue();
        assertThat(ours.inspect().holders()).hasSize(1);
        theirs.release();
        assertThat(ours.tryLock()).isFalse();
        theirs.release();
        assertThat(ours.isLocked()).isFalse();
        assertThat(ours.tryLock()).isTrue();
        assertThatThrownBy(theirs::release).isInstanceOf(IllegalMonitorStateException.class);
        ours.unlock();
    }

    @Test
    void aTryInVainLeavesNothing() throws Exception {
        InterProcessMutex theirs = new InterProcessMutex(curator, "/c");
        theirs.acquire();
        DistributedLock ours = clients.interlock().lock("c");
        assertThat(ours.tryLock()).isFalse();
        assertThat(ours.tryLock(Duration.ofMillis(50))).isFalse();
        Awaitility.await().until(() -> theirs.getParticipantNodes().size() == 1);
        theirs.release();
    }

    @Test
    void aHoldOfOursThatCuratorDeletesIsLost() throws Exception {
        Lease lease = clients.interlock().lock("d").acquire(LeaseTerm.renewing(LEASE));
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        curator.delete().forPath("/d/" + curator.getChildren().forPath("/d").get(0));
        assertThat(lost.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo(LossCause.DELETED);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void eachIsWokenByTheReleaseOfTheOther() {
        Lock ours = clients.interlock(POLL_CAP).lock("e");
        Lock theirs = new CuratorLock(new InterProcessMutex(curator, "/e"));
        for (int round = 0; round < ROUNDS; round++) {
            ours.lock();
            assertThat(latency("/e", ours, theirs)).isLessThan(AT_ONCE);
            theirs.lock();
            assertThat(latency("/e", theirs, ours)).isLessThan(AT_ONCE);
        }
    }

    @Test
    void eachSideOfTheReadWriteLockIsWokenByTheReleaseOfTheOther() {
        ReadWriteLock ours = clients.interlock(POLL_CAP).readWriteLock("f");
        ReadWriteLock theirs = CuratorLock.both(new InterProcessReadWriteLock(curator, "/f"));
        for (int round = 0; round < ROUNDS; round++) {
            ours.writeLock().lock();
            assertThat(latency("/f", ours.writeLock(), theirs.readLock())).isLessThan(AT_ONCE);
            ours.readLock().lock();
            assertThat(latency("/f", ours.readLock(), theirs.writeLock())).isLessThan(AT_ONCE);
            theirs.writeLock().lock();
            assertThat(latency("/f", theirs.writeLock(), ours.readLock())).isLessThan(AT_ONCE);
            theirs.readLock().lock();
            assertThat(latency("/f", theirs.readLock(), ours.writeLock())).isLessThan(AT_ONCE);
        }
    }

    @Test
    void aDowngradeLetsTheReadersOfTheOtherIn_andNoWriter() {
        DistributedReadWriteLock ours = clients.interlock(POLL_CAP).readWriteLock("g");
        ReadWriteLock theirs = CuratorLock.both(new InterProcessReadWriteLock(curator, "/g"));
        ours.writeLock().lock();
        ours.readLock().lock();
        assertThat(latency("/g", ours.writeLock(), theirs.readLock())).isLessThan(AT_ONCE);
        assertThat(theirs.writeLock().tryLock()).isFalse();
        ours.readLock().unlock();

        theirs.writeLock().lock();
        theirs.readLock().lock();
        assertThat(latency("/g", theirs.writeLock(), ours.readLock())).isLessThan(AT_ONCE);
        assertThat(ours.writeLock().tryLock()).isFalse();
        theirs.readLock().unlock();
    }

    /** How long after the release of one the other holds, which waited for it; it is released again. */
    private Duration latency(String path, Lock held, Lock wanted) {
        int before = children(path);
        CompletableFuture<Long> waiting = CompletableFuture.supplyAsync(
                () -> {
                    wanted.lock();
                    try {
                        return System.nanoTime();
                    } finally {
                        wanted.unlock();
                    }
                },
                threads);
        Awaitility.await().until(() -> children(path) > before);
        Awaitility.await().until(() -> clients.server().ask("wchp").contains(path + "/"));
        long released = System.nanoTime();
        held.unlock();
        return Duration.ofNanos(waiting.orTimeout(40, TimeUnit.SECONDS).join() - released);
    }

    private int children(String path) {
        return CuratorLock.call(() -> curator.getChildren().forPath(path)).size();
    }
}
