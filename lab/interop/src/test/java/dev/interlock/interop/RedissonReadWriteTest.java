package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RReadWriteLock;

/**
 * Read/write locks of ours and of Redisson on the same name exclude each other (I2), and a release of one side wakes
 * the other (I5). A waiter that is not woken sleeps for an hour, for the lease of the holder or the poll cap.
 */
@Tag("wide")
class RedissonReadWriteTest {

    private static final Duration NEVER = Duration.ofHours(1);
    private static final LeaseTerm TERM = LeaseTerm.fixed(NEVER);
    private static final int ROUNDS = 5;
    private static final int USES = Effort.pick(1_000, 20_000);

    private final Clients clients = new Clients();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
        clients.close();
    }

    @Tag(Effort.SCALED)
    @Test
    void readersShareAndWritersAreAlone_whoeverTheyAre() {
        String name = "rw:shared";
        List<ReadWriteLock> locks = List.of(
                ours(name),
                clients.redisson().getReadWriteLock(name),
                ours(name),
                clients.redisson().getReadWriteLock(name));

        new ReadersAndWriters(locks, false).take(Turns.of(USES, locks.size()));

        assertThat(clients.server().command("EXISTS", name)).isEqualTo("0");
    }

    /** Redisson's unlock looks for the key of every other reader, and removes the lock if there is none. */
    @Test
    void aReaderOfRedissonThatGoesLeavesOurs() {
        DistributedReadWriteLock ours = ours("rw:leave");
        ReadWriteLock theirs = clients.redisson().getReadWriteLock("rw:leave");
        ours.readLock().lock();
        theirs.readLock().lock();

        theirs.readLock().unlock();

        assertThat(theirs.writeLock().tryLock()).isFalse();
        ours.readLock().heldLease().ensureValid();
        ours.readLock().unlock();
        assertThat(theirs.writeLock().tryLock()).isTrue();
        theirs.writeLock().unlock();
    }

    @Test
    void eachSideIsWokenByTheOthersRelease() {
        DistributedReadWriteLock ours = ours("rw:wake");
        RReadWriteLock theirs = clients.redisson().getReadWriteLock("rw:wake");
        for (int round = 0; round < ROUNDS; round++) {
            ours.writeLock().lock(TERM);
            handOver(ours.writeLock(), theirs.readLock());
            ours.readLock().lock(TERM);
            handOver(ours.readLock(), theirs.writeLock());
            theirs.writeLock().lock(NEVER.toMillis(), TimeUnit.MILLISECONDS);
            handOver(theirs.writeLock(), ours.readLock());
        }
    }

    /** Redisson's own downgrade wakes nobody; ours does. */
    @Test
    void aDowngradeOfOursWakesReadersOfRedisson() {
        DistributedReadWriteLock ours = ours("rw:down");
        ReadWriteLock theirs = clients.redisson().getReadWriteLock("rw:down");
        ours.writeLock().lock(TERM);
        ours.readLock().lock(TERM);

        handOver(ours.writeLock(), theirs.readLock());

        assertThat(theirs.writeLock().tryLock()).isFalse();
        ours.readLock().unlock();
    }

    private DistributedReadWriteLock ours(String name) {
        return clients.interlock(true, NEVER).readWriteLock(name);
    }

    /** Releases the one while a waiter for the other sleeps, and waits until that has held it. */
    private void handOver(Lock held, Lock wanted) {
        long calls = clients.server().calls("evalsha");
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                () -> {
                    wanted.lock();
                    wanted.unlock();
                },
                threads);
        // It asks, subscribes, asks once more, and sleeps.
        Awaitility.await().until(() -> clients.server().calls("evalsha") >= calls + 2);
        Awaitility.await().until(() -> clients.server()
                .command("PUBSUB", "CHANNELS", "redisson_rwlock:*")
                .contains("redisson_rwlock:"));
        held.unlock();
        waiting.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join();
    }
}
