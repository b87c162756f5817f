package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.testkit.Effort;
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

/** Read/write locks of ours and of Redisson on the same name: who excludes whom (I2), and who wakes whom (I5). */
class RedissonReadWriteTest {

    private static final Duration POLL_CAP = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);
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
        ReadersAndWriters users = new ReadersAndWriters(USES, false);
        users.run(locks);

        assertThat(users.sharing()).as("how often readers met").isPositive();
        assertThat(clients.server().command("EXISTS", name)).isEqualTo("0");
    }

    /**
     * Redisson's unlock looks for the key of every other reader, and would take the lock away from one that has none.
     */
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
        ReadWriteLock theirs = clients.redisson().getReadWriteLock("rw:wake");
        for (int round = 0; round < ROUNDS; round++) {
            ours.writeLock().lock();
            assertThat(latency(ours.writeLock(), theirs.readLock())).isLessThan(AT_ONCE);
            ours.readLock().lock();
            assertThat(latency(ours.readLock(), theirs.writeLock())).isLessThan(AT_ONCE);
            theirs.writeLock().lock();
            assertThat(latency(theirs.writeLock(), ours.readLock())).isLessThan(AT_ONCE);
        }
    }

    /** Redisson's own downgrade tells nobody; ours does. */
    @Test
    void aDowngradeOfOursWakesReadersOfRedisson() {
        DistributedReadWriteLock ours = ours("rw:down");
        ReadWriteLock theirs = clients.redisson().getReadWriteLock("rw:down");
        ours.writeLock().lock();
        ours.readLock().lock();

        assertThat(latency(ours.writeLock(), theirs.readLock())).isLessThan(AT_ONCE);

        assertThat(theirs.writeLock().tryLock()).isFalse();
        ours.readLock().unlock();
    }

    private DistributedReadWriteLock ours(String name) {
        return clients.interlock(true, POLL_CAP).readWriteLock(name);
    }

    /** How long after the release of one the other holds, which waited for it. */
    private Duration latency(Lock held, Lock wanted) {
        long calls = clients.server().calls("evalsha");
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
        // It asks, subscribes, asks once more, and sleeps.
        Awaitility.await().until(() -> clients.server().calls("evalsha") >= calls + 2);
        Awaitility.await().until(() -> clients.server()
                .command("PUBSUB", "CHANNELS", "redisson_rwlock:*")
                .contains("redisson_rwlock:"));
        long released = System.nanoTime();
        held.unlock();
        return Duration.ofNanos(waiting.orTimeout(40, TimeUnit.SECONDS).join() - released);
    }
}
