package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.testkit.Patience;
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
 * Each side sees the other's hold, and is woken by the other's release (I2, I5, I8). A waiter of ours that is not woken
 * sleeps for the poll cap of an hour, and one of Curator for ever.
 */
class CuratorStateTest {

    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration LEASE = Duration.ofSeconds(9);
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
        assertThat(lost.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join()).isEqualTo(LossCause.DELETED);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void eachIsWokenByTheReleaseOfTheOther() {
        Lock ours = clients.interlock(NEVER).lock("e");
        Lock theirs = new CuratorLock(new InterProcessMutex(curator, "/e"));
        for (int round = 0; round < ROUNDS; round++) {
            ours.lock();
            handOver("/e", ours, theirs);
            theirs.lock();
            handOver("/e", theirs, ours);
        }
    }

    @Test
    void eachSideOfTheReadWriteLockIsWokenByTheReleaseOfTheOther() {
        ReadWriteLock ours = clients.interlock(NEVER).readWriteLock("f");
        ReadWriteLock theirs = CuratorLock.both(new InterProcessReadWriteLock(curator, "/f"));
        for (int round = 0; round < ROUNDS; round++) {
            ours.writeLock().lock();
            handOver("/f", ours.writeLock(), theirs.readLock());
            ours.readLock().lock();
            handOver("/f", ours.readLock(), theirs.writeLock());
            theirs.writeLock().lock();
            handOver("/f", theirs.writeLock(), ours.readLock());
            theirs.readLock().lock();
            handOver("/f", theirs.readLock(), ours.writeLock());
        }
    }

    @Test
    void aDowngradeLetsTheReadersOfTheOtherIn_andNoWriter() {
        DistributedReadWriteLock ours = clients.interlock(NEVER).readWriteLock("g");
        ReadWriteLock theirs = CuratorLock.both(new InterProcessReadWriteLock(curator, "/g"));
        ours.writeLock().lock();
        ours.readLock().lock();
        handOver("/g", ours.writeLock(), theirs.readLock());
        assertThat(theirs.writeLock().tryLock()).isFalse();
        ours.readLock().unlock();

        theirs.writeLock().lock();
        theirs.readLock().lock();
        handOver("/g", theirs.writeLock(), ours.readLock());
        assertThat(ours.writeLock().tryLock()).isFalse();
        theirs.readLock().unlock();
    }

    /** Releases the one while a waiter for the other sleeps, and waits until that has held it. */
    private void handOver(String path, Lock held, Lock wanted) {
        int before = children(path);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                () -> {
                    wanted.lock();
                    wanted.unlock();
                },
                threads);
        Awaitility.await().until(() -> children(path) > before);
        Awaitility.await().until(() -> clients.server().ask("wchp").contains(path + "/"));
        held.unlock();
        waiting.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join();
    }

    private int children(String path) {
        return CuratorLock.call(() -> curator.getChildren().forPath(path)).size();
    }
}
