package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.Rows;
import dev.interlock.spi.Claim;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.Verb;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock file that others keep busy. */
@Tag("some")
class BusyTest extends FileTest {

    /** A little less than the second for which an operation waits for the file. */
    private static final Duration SHORTEST_BUSY = Duration.ofMillis(900);

    /** The default of {@code attemptTimeout}. */
    private static final Duration ATTEMPT = Duration.ofSeconds(2);

    @Test
    void busyFile_failsTheOperation_andIsUsableAfterwards() throws SQLException {
        assertThat(failureOnABusyFile()).isGreaterThan(SHORTEST_BUSY);
    }

    @Tag(Effort.TIMING)
    @Test
    void busyFile_failsTheOperation_withinHalfAnAttempt() throws SQLException {
        assertThat(failureOnABusyFile()).isLessThan(Duration.ofMillis(1_900));
    }

    /** How long an acquire takes to fail while somebody else is writing. */
    private Duration failureOnABusyFile() throws SQLException {
        Duration took;
        try (Client client = new Client(file)) {
            Claim held = client.hold("x");
            try (Connection other = rows.connect();
                    Statement statement = other.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                try (Stopwatch watch = new Stopwatch()) {
                    Throwable failure = Client.failure(client.store().acquire(client.claim("y")));

                    took = watch.elapsed();
                    assertThat(failure)
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContaining("busy for over 1000 ms")
                            .hasMessageContaining("path=" + file);
                }
                // Reading is possible while others write.
                assertThat(client.inspect("x").isLocked()).isTrue();
                statement.execute("COMMIT");
            }

            assertThat(client.isGranted(client.claim("y"))).isTrue();
            assertThat(client.renew(held)).isEqualTo(dev.interlock.spi.Renewal.HELD);
        }
        return took;
    }

    /** A file that somebody keeps locked is like a store that does not answer. */
    @Test
    void P10_busyFile_failsTryLock_andWorksAfterwards() throws Exception {
        tryLockOnABusyFile(Duration.ofMinutes(5));
    }

    @Tag(Effort.TIMING)
    @Test
    void P10_busyFile_failsTryLock_inTime() throws Exception {
        tryLockOnABusyFile(Duration.ofMillis(50));
    }

    private void tryLockOnABusyFile(Duration excess) throws Exception {
        try (Interlock interlock = Interlock.connect("sqlite:" + file)) {
            DistributedLock lock = interlock.lock("x");
            lock.lock();
            lock.unlock();
            try (Connection other = rows.connect();
                    Statement statement = other.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                boolean silent = false;
                for (int budget : new int[] {0, 50, 1000, 0, 50, 200, 1000}) {
                    try (Stopwatch watch = new Stopwatch()) {
                        Throwable thrown = catchThrowable(() -> lock.tryLock(Duration.ofMillis(budget)));

                        // The first answer is waited for in any case, for as long as an attempt may take.
                        Duration most = Duration.ofMillis(Math.max(budget, ATTEMPT.toMillis()));
                        watch.assertAtMost(most.plus(excess), "a wait of " + budget + " ms");
                        assertThat(watch.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(budget));
                        silent |= budget == 1000;
                        if (silent || thrown != null) {
                            assertThat(thrown).isInstanceOf(StoreUnavailableException.class);
                        }
                    }
                }
                statement.execute("COMMIT");
            }
            assertThat(lock.tryLock(Duration.ofMinutes(5))).isTrue();
            lock.unlock();
        }
    }

    /**
     * Acquires that were given up are neither sent nor released: otherwise a store that was slow once would be busy
     * with them, and slow for the next callers.
     */
    @Test
    void P12_acquiresGivenUpWhileTheFileIsBusy_leaveNothingToDo() throws Exception {
        assertThat(Patience.inTime(this::releasesOfAcquiresGivenUp)).isZero();
        assertThat(rows.count("claim")).isZero();
    }

    /** How many there were; empty if the first acquire may have failed meanwhile, and let another one be sent. */
    private Optional<Long> releasesOfAcquiresGivenUp() throws Exception {
        CountingStore counts = new CountingStore(JdbcStore.sqlite(file));
        try (Interlock interlock = Interlock.builder(counts).build();
                Connection other = rows.connect();
                Statement statement = other.createStatement()) {
            DistributedLock lock = interlock.lock("x");
            lock.acquire().close();
            statement.execute("BEGIN IMMEDIATE");
            long released = counts.requests(Verb.RELEASE);
            long begun = System.nanoTime();
            CompletableFuture<Lease> first = lock.acquireAsync().toCompletableFuture();
            for (int i = 0; i < 500; i++) {
                interlock.lock("y").acquireAsync().toCompletableFuture().cancel(true);
            }
            assertThat(counts.requests(Verb.ACQUIRE)).isGreaterThan(500);
            released = counts.requests(Verb.RELEASE) - released;
            boolean inTime = System.nanoTime() - begun < SHORTEST_BUSY.toNanos();
            statement.execute("COMMIT");

            first.get(5, TimeUnit.MINUTES).close();
            return inTime ? Optional.of(released) : Optional.empty();
        }
    }

    /** Many connections write at once: SQLite lets them take turns. */
    @Tag(Effort.SCALED)
    @Test
    void manyWriters_allSucceed() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        int rounds = Effort.pick(200, 10_000);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String name = "own-" + i;
                workers.add(threads.submit(() -> {
                    try (Client client = new Client(file)) {
                        for (int round = 0; round < rounds; round++) {
                            client.release(client.hold(name));
                        }
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(rows.count("lock")).isZero();
    }

    /** Many clients find no tables, and create them. */
    @Tag(Effort.SCALED)
    @Test
    void manyClientsAtOnce_createOneSetOfTables() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            for (int round = 0; round < Effort.pick(5, 100); round++) {
                java.nio.file.Path fresh = directory.resolve("fresh-" + round + ".db");
                List<Future<Boolean>> workers = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    String name = "own-" + i;
                    workers.add(threads.submit(() -> {
                        try (Client client = new Client(fresh)) {
                            return client.isGranted(client.claim(name));
                        }
                    }));
                }
                for (Future<Boolean> worker : workers) {
                    assertThat(worker.get(5, TimeUnit.MINUTES)).isTrue();
                }
                assertThat(new Rows(fresh).count("lock")).isEqualTo(6);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void P27_close_leavesNoThreadAndNoConnection() {
        // Threads of other tests end by themselves.
        await().until(() -> threads() == 0);
        Interlock interlock = Interlock.connect("sqlite:" + file);
        interlock.lock("x").lock();
        assertThat(threads()).isEqualTo(1);

        interlock.close();

        await().until(() -> threads() == 0);
        // The last connection removes the log.
        assertThat(directory.resolve("locks.db-wal")).doesNotExist();
        assertThat(rows.count("lock")).isZero();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("interlock-jdbc"))
                .count();
    }
}
