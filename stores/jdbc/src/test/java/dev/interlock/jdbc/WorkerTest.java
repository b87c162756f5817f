package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.NetworkLimit;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.PostgresServer;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread on which an operation runs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkerTest {

    private static final Duration PATIENCE = Duration.ofMillis(WaitLimits.NETWORK_MS);

    private static final Operation<Thread> WHERE = session -> Thread.currentThread();

    @TempDir
    private static Path directory;

    private final String url = PostgresServer.shared().newDatabase();
    private final Source source = new Source(url, true);
    private final Worker worker = workerOn(source);

    @BeforeEach
    void connect() {
        assertThat(worker.submit(WHERE).join()).isNotEqualTo(Thread.currentThread());
        awaitIdle(worker);
    }

    @AfterEach
    void close() {
        worker.close();
    }

    // ---- which thread

    @Test
    void operation_runsOnTheLentThread() {
        CompletableFuture<Thread> answer = worker.lend(PATIENCE, () -> worker.submit(WHERE));

        assertThat(answer).isCompletedWithValue(Thread.currentThread());
    }

    @Test
    void operationWithoutALentThread_runsOnTheWorker() {
        assertThat(worker.submit(WHERE).join()).isNotEqualTo(Thread.currentThread());
    }

    /** Connecting takes longer than a caller has. */
    @Test
    void firstOperation_runsOnTheWorker() {
        Worker fresh = workerOn(source);
        assertThat(lent(fresh)).isNotEqualTo(Thread.currentThread());
        fresh.close();
    }

    @Test
    void callerWithLittleTime_isNotLent() {
        CompletableFuture<Thread> answer = worker.lend(PATIENCE.minusMillis(1), () -> worker.submit(WHERE));

        assertThat(answer.join()).isNotEqualTo(Thread.currentThread());
    }

    /** A connection of a pool may belong to the transaction of its user. */
    @Test
    void pooledConnection_isUsedByTheWorkerOnly() {
        Worker pooled = workerOn(new Source(url, false));
        assertNeverLent(pooled);
        pooled.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"H2", "SQLITE"})
    void unlimitedStatement_runsOnTheWorker(TestDatabase database) {
        Worker other = workerOn(new Source(database.newUrl(directory), true));
        assertNeverLent(other);
        other.close();
    }

    @Test
    void virtualThread_isNotLent() throws Exception {
        boolean known = Runtime.version().feature() >= 21;
        CompletableFuture<Boolean> kept = new CompletableFuture<>();
        Runnable caller = () ->
                kept.complete(worker.lend(PATIENCE, () -> worker.submit(WHERE)).join() == Thread.currentThread());
        if (known) {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, caller);
        } else {
            new Thread(caller).start();
        }

        assertThat(kept.join()).isEqualTo(!known);
    }

    @Test
    void store_lendsThreads() {
        try (Client client = new Client(url)) {
            client.release(client.hold("x"));
            await().until(() -> {
                Claim claim = client.claim("y");
                boolean granted = client.store()
                        .lend(PATIENCE, () -> client.store().acquire(claim))
                        .toCompletableFuture()
                        .isDone();
                return granted
                        && client.store()
                                .lend(PATIENCE, () -> client.store().release(claim))
                                .toCompletableFuture()
                                .isDone();
            });
        }
    }

    // ---- order

    @Test
    void busyWorker_doesNotBlockTheCaller() {
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Thread> first = worker.submit(session -> {
            awaited(busy);
            return Thread.currentThread();
        });
        CompletableFuture<Thread> second = worker.lend(PATIENCE, () -> worker.submit(WHERE));
        assertThat(second).isNotDone();
        busy.countDown();

        assertThat(second.join()).isEqualTo(first.join());
    }

    @Test
    void P12_withdrawnOperation_doesNotRun() {
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Boolean> first = worker.submit(session -> {
            awaited(busy);
            return true;
        });
        AtomicInteger done = new AtomicInteger();
        QueuedAnswer<Integer> inLine = worker.submit(session -> done.incrementAndGet());
        assertThat(inLine.withdraw()).isTrue();
        busy.countDown();

        assertThat(first.join()).isTrue();
        assertThat(worker.submit(WHERE)).succeedsWithin(Duration.ofMinutes(5));
        assertThat(done).hasValue(0);
    }

    @Test
    void P09_runningOperation_isNotWithdrawn_andIsAnswered() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        QueuedAnswer<Boolean> answer = worker.submit(session -> {
            begun.countDown();
            awaited(busy);
            return true;
        });
        awaited(begun);
        assertThat(answer.withdraw()).isFalse();
        busy.countDown();

        assertThat(answer.join()).isTrue();
    }

    /** A renewal does not wait for the callers that came before it: its lease would end. */
    @Test
    void operationThatComesFirst_runsBeforeThoseInLine() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Boolean> running = worker.submit(session -> {
            begun.countDown();
            awaited(busy);
            return true;
        });
        awaited(begun);
        List<String> ran = new CopyOnWriteArrayList<>();
        CompletableFuture<?> last = worker.submit(session -> ran.add("acquire"));
        var unused = worker.submitFirst(session -> ran.add("renewal 1"));
        var unusedToo = worker.submitFirst(session -> ran.add("renewal 2"));
        busy.countDown();

        assertThat(running.join()).isTrue();
        last.join();
        assertThat(ran).containsExactly("renewal 1", "renewal 2", "acquire");
    }

    /** Nobody has the session lock, but an operation is pending. */
    @Test
    void pendingOperation_runsFirst() {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch answering = new CountDownLatch(1);
        CompletableFuture<Void> answered = worker.submit(session -> {
                    awaited(answering);
                    return Thread.currentThread();
                })
                .thenAccept(thread -> awaited(busy));
        answering.countDown();
        CompletableFuture<Thread> pending = worker.submit(WHERE);
        CompletableFuture<Thread> later = worker.lend(PATIENCE, () -> worker.submit(WHERE));
        assertThat(later).isNotDone();
        busy.countDown();

        assertThat(later.join()).isEqualTo(pending.join());
        answered.join();
    }

    /** One operation at a time, also among those on lent threads. */
    @Test
    void lentThread_doesNotBlockOthers() {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Thread> first = CompletableFuture.supplyAsync(() -> worker.lend(
                        PATIENCE,
                        () -> worker.submit(session -> {
                            begun.countDown();
                            awaited(busy);
                            return Thread.currentThread();
                        }))
                .join());
        awaited(begun);
        CompletableFuture<Thread> second = worker.lend(PATIENCE, () -> worker.submit(WHERE));
        assertThat(second).isNotDone();
        busy.countDown();

        assertThat(second.join()).isNotIn(first.join(), Thread.currentThread());
    }

    /** The dependents of an answer do not run under the session lock of its operation. */
    @Test
    void dependentOfAnAnswer_runsWithoutTheSessionLock() {
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<Boolean> inTurn = worker.submit(session -> {
                    awaited(asked);
                    return Thread.currentThread();
                })
                .thenApply(thread -> {
                    assertThat(Thread.currentThread()).isEqualTo(thread);
                    return worker.submit(WHERE).isDone();
                });
        asked.countDown();

        assertThat(inTurn.join()).isFalse();
    }

    /** No operation is lost or runs twice, whichever thread runs it. */
    @Test
    void manyThreads_runEachOperationOnce() {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        Operation<Integer> counted = session -> {
            assertThat(together.incrementAndGet()).isOne();
            done.incrementAndGet();
            return together.decrementAndGet();
        };
        Stream<CompletableFuture<Void>> callers = IntStream.range(0, 8)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 500; i++) {
                                (caller % 2 == 0
                                                ? worker.lend(PATIENCE, () -> worker.submit(counted))
                                                : worker.submit(counted))
                                        .join();
                            }
                        },
                        task -> new Thread(task).start()));
        CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).join();

        assertThat(done).hasValue(4_000);
    }

    // ---- failures

    /**
     * The lent thread does not retry: the worker's thread runs the operation again, and the first try leaves no trace.
     */
    @Test
    void contention_isRetriedByTheWorker() {
        Thread caller = Thread.currentThread();
        AtomicInteger tries = new AtomicInteger();
        CompletableFuture<Thread> answer = worker.lend(
                PATIENCE,
                () -> worker.submit(session -> session.inTransaction(() -> {
                    if (Thread.currentThread() == caller) {
                        tries.incrementAndGet();
                        throw new SQLException("in the way", Dialect.SERIALIZATION_FAILURE);
                    }
                    return Thread.currentThread();
                })));

        assertThat(answer.join()).isNotEqualTo(caller);
        assertThat(tries).hasValue(1);
        assertThat(source.opened).hasValue(1);
    }

    /** The same with a row that another transaction has locked. */
    @Test
    void lockedRow_isLeftToTheWorker() throws Exception {
        assertThat(timeOnALentThread_withALockedRow())
                .as("the server's limit for one statement")
                .isGreaterThanOrEqualTo(WaitLimits.LOCK_WAIT);
    }

    @Tag(Effort.TIMING)
    @Test
    void lockedRow_keepsTheCallerForOneStatementOnly() throws Exception {
        assertThat(timeOnALentThread_withALockedRow()).isLessThan(WaitLimits.LOCK_WAIT.plus(PATIENCE));
    }

    private Duration timeOnALentThread_withALockedRow() throws Exception {
        return Patience.inTime(this::timeOnALentThread_ifTheRowIsFreedInTime);
    }

    /** Empty if the row was freed too late for the try on the worker's thread, which waits no longer for it either. */
    private Optional<Duration> timeOnALentThread_ifTheRowIsFreedInTime() throws SQLException {
        String name = "x" + System.nanoTime();
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            client.release(client.hold(name));
            stranger.setAutoCommit(false);
            statement.execute("SELECT * FROM interlock_lock FOR UPDATE");
            Claim claim = client.claim(name);
            long begun = System.nanoTime();
            CompletableFuture<Attempt> answer =
                    worker.lend(PATIENCE, () -> worker.submit(session -> new AcquireOperation(session, claim).run()));

            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            boolean isDone = answer.isDone();
            stranger.rollback();
            if (System.nanoTime() - begun - took.toNanos() > WaitLimits.LOCK_WAIT.toNanos() / 2) {
                answer.handle((attempt, failure) -> failure).join();
                return Optional.empty();
            }
            assertThat(isDone).as("the lent thread has the answer").isFalse();
            assertThat(answer.join()).isInstanceOf(Attempt.Granted.class);
            return Optional.of(took);
        }
    }

    /** The database may have done everything before the failure, on either thread: somebody has to check. */
    @Test
    void P09_failureAfterSending_cannotBeWithdrawn() {
        Operation<Thread> fails = session -> {
            throw new SQLException("The connection is gone", "08006");
        };
        QueuedAnswer<Thread> lent = worker.lend(PATIENCE, () -> worker.submit(fails));
        QueuedAnswer<Thread> waited = worker.submit(fails);

        assertThatThrownBy(lent::join).hasRootCauseInstanceOf(SQLException.class);
        assertThatThrownBy(waited::join).hasRootCauseInstanceOf(SQLException.class);
        assertThat(lent.withdraw()).isFalse();
        assertThat(waited.withdraw()).isFalse();
    }

    /** The answer reports the failure; the worker opens another connection. */
    @Test
    void brokenConnection_isReplacedByTheWorker() {
        CompletableFuture<Thread> answer = worker.lend(
                PATIENCE,
                () -> worker.submit(session -> {
                    throw new SQLException("broken", "08006");
                }));
        assertThatThrownBy(answer::join).hasStackTraceContaining("broken");
        assertThat(lent(worker)).isNotEqualTo(Thread.currentThread());
        awaitIdle(worker);

        assertThat(lent(worker)).isEqualTo(Thread.currentThread());
        assertThat(source.opened).hasValue(2);
    }

    @Test
    void errorOfADriver_isTheAnswer() {
        CompletableFuture<Thread> answer = worker.lend(
                PATIENCE,
                () -> worker.submit(session -> {
                    throw new NoClassDefFoundError("driver");
                }));

        assertThatThrownBy(answer::join).hasCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void interruptedCaller_disturbsNothing() {
        Thread.currentThread().interrupt();
        CompletableFuture<Integer> answer = worker.lend(
                PATIENCE,
                () -> worker.submit(
                        session -> session.update(SqlStatement.RAISE_FENCE, new Parameters().with("fence", 0))));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer).isCompleted();
        assertThat(source.opened).hasValue(1);
    }

    @Test
    void closedStore_refuses() {
        worker.close();
        CompletableFuture<Thread> answer = worker.lend(PATIENCE, () -> worker.submit(WHERE));

        assertThatThrownBy(answer::join).hasMessageContaining("closed");
        await().until(() -> source.open.get() == 0);
    }

    // ---- sweeps and idle connections

    /** A store that runs all operations on lent threads removes old rows, too, on its own thread. */
    @Test
    void lentThreads_leaveTheSweepToTheWorker() throws SQLException {
        try (Client client = new Client(url);
                Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            client.hold("x");
            client.await("x", Duration.ofSeconds(1));
            statement.execute("UPDATE interlock_claim SET until_ms = 0");
            for (int i = 0; i < 300; i++) {
                worker.lend(PATIENCE, () -> worker.submit(WHERE)).join();
            }

            await().until(() -> {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM interlock_claim")) {
                    return rows.next() && rows.getInt(1) == 0;
                }
            });
        }
    }

    /**
     * The thread that closes an idle connection knows that it is in use; here by fewer operations than cause a sweep.
     */
    @Test
    void connectionThatOnlyLentThreadsUse_staysOpen() throws Exception {
        Set<Thread> users = Patience.inTime(this::usersOfAConnection);

        assertThat(users).contains(Thread.currentThread());
    }

    /** The threads that have used it; empty if the machine stood still for so long that it may have been idle. */
    private Optional<Set<Thread>> usersOfAConnection() {
        Duration idle = Duration.ofSeconds(3);
        Worker shortLived = workerOn(source, idle);
        shortLived.submit(WHERE).join();
        int opened = source.opened.get();
        Set<Thread> users = new HashSet<>();
        long longest = 0;
        long usedNanos = System.nanoTime();
        for (int i = 0; i < 90; i++) {
            users.add(shortLived
                    .lend(
                            PATIENCE,
                            () -> shortLived.submit(session -> {
                                LockSupport.parkNanos(40_000_000);
                                return Thread.currentThread();
                            }))
                    .join());
            long now = System.nanoTime();
            longest = Math.max(longest, now - usedNanos);
            usedNanos = now;
        }
        shortLived.close();

        if (longest > idle.dividedBy(3).toNanos()) {
            return Optional.empty();
        }
        assertThat(source.opened).hasValue(opened);
        return Optional.of(users);
    }

    private static Thread lent(Worker worker) {
        return worker.lend(PATIENCE, () -> worker.submit(WHERE)).join();
    }

    /** Also when the worker is idle, after the first sweep. */
    private static void assertNeverLent(Worker worker) {
        assertThat(Stream.generate(() -> lent(worker)).limit(100)).doesNotContain(Thread.currentThread());
    }

    /** Waits until the worker's thread has swept after its last operation. */
    private static void awaitIdle(Worker worker) {
        // When this is answered, the sweep after the last one is done.
        worker.submit(WHERE).join();
        await().until(() -> lent(worker) == Thread.currentThread());
    }

    private static Worker workerOn(ConnectionSource source) {
        return workerOn(source, Worker.IDLE);
    }

    private static Worker workerOn(ConnectionSource source, Duration idle) {
        String prefix = JdbcStore.DEFAULT_PREFIX;
        return new Worker(new SessionHolder(source, prefix, new WakeSubscription(source, prefix)), idle);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Counts connections. */
    private static final class Source implements ConnectionSource {
        private final String url;
        private final boolean own;
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger open = new AtomicInteger();

        Source(String url, boolean own) {
            this.url = url;
            this.own = own;
        }

        @Override
        public Connection open() throws SQLException {
            opened.incrementAndGet();
            open.incrementAndGet();
            Connection connection = DriverManager.getConnection(url);
            return (Connection) Proxy.newProxyInstance(
                    WorkerTest.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            open.decrementAndGet();
                        }
                        return NetworkLimit.raised(connection, method, arguments);
                    });
        }

        @Override
        public boolean areDedicated() {
            return own;
        }
    }
}
