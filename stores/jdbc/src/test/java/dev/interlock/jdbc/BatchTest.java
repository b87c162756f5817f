package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that share a transaction, on SQLite. Each test puts them into line while the worker is busy. */
class BatchTest extends FileTest {

    private static final String BEGIN = "BEGIN IMMEDIATE";
    private static final String COMMIT = "COMMIT";
    private static final String ROLLBACK = "ROLLBACK";
    private static final int BUSY = 5;
    private static final long LARGEST_FENCE = (1L << 53) - 1;

    /** What begins and ends transactions, in order. */
    private final List<String> commands = new CopyOnWriteArrayList<>();

    private final List<Hook> hooks = new CopyOnWriteArrayList<>();
    private final Client names = new Client(file);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final AtomicReference<Session> session = new AtomicReference<>();
    private Worker worker = workerThatShares(Duration.ofHours(1));

    private Worker workerThatShares(Duration longest) {
        String prefix = JdbcStore.DEFAULT_PREFIX;
        WakeSubscription wakes = new WakeSubscription(rows::connect, prefix);
        return new Worker(
                new SessionHolder(() -> watched(rows.connect()), prefix, wakes), Duration.ofHours(1), longest);
    }

    @BeforeEach
    void occupy() {
        worker.submit(opened -> {
                    session.set(opened);
                    return true;
                })
                .join();
        commands.clear();
        CountDownLatch begun = new CountDownLatch(1);
        var unused = worker.submit(opened -> {
            begun.countDown();
            awaited(busy);
            return true;
        });
        awaited(begun);
    }

    @AfterEach
    void close() {
        busy.countDown();
        worker.close();
        names.close();
        worker.awaitConnections(Patience.limit());
    }

    // ---- one transaction

    @Test
    void requestsInLine_shareATransaction_andAreAllDone() {
        List<Claim> claims = claims(10);
        List<QueuedAnswer<Attempt>> acquired =
                claims.stream().map(this::acquire).toList();
        busy.countDown();

        assertThat(acquired).allSatisfy(answer -> assertThat(fence(answer)).isPositive());
        assertThat(commands).containsExactly(BEGIN, COMMIT);
        for (Claim claim : claims) {
            assertThat(names.release(claim)).isTrue();
        }
    }

    /** A claim that is released and acquired in one transaction: each sees what those before it have written. */
    @Test
    void requestsForOneName_areDoneInOrder() {
        Claim first = names.claim("x");
        Claim second = names.claim("x");
        Claim third = names.claim("x");
        QueuedAnswer<Attempt> granted = acquire(first);
        QueuedAnswer<Attempt> refused = acquire(second);
        QueuedAnswer<Boolean> released = release(first);
        QueuedAnswer<Attempt> later = acquire(third);
        QueuedAnswer<Boolean> absent = release(first);
        busy.countDown();

        assertThat(fence(later)).isGreaterThan(fence(granted));
        assertThat(refused.join()).isInstanceOf(Attempt.Busy.class);
        assertThat(released.join()).isTrue();
        assertThat(absent.join()).isFalse();
        assertThat(commands).containsExactly(BEGIN, COMMIT);
    }

    @Test
    void requestAlone_hasNoTransactionAroundIt() {
        QueuedAnswer<Attempt> acquired = acquire(names.claim("x"));
        busy.countDown();

        assertThat(fence(acquired)).isPositive();
        assertThat(commands).isEmpty();
    }

    @Test
    void requestThatCannotShare_keepsItsPlace() {
        List<String> order = new ArrayList<>();
        List<QueuedAnswer<Boolean>> answers = List.of(
                worker.submitSharing(opened -> order.add("a")),
                worker.submitSharing(opened -> order.add("b")),
                worker.submit(opened -> order.add("alone")),
                worker.submitSharing(opened -> order.add("c")));
        busy.countDown();

        answers.forEach(QueuedAnswer::join);
        assertThat(order).containsExactly("a", "b", "alone", "c");
        assertThat(commands).containsExactly(BEGIN, COMMIT);
    }

    /** Other processes write in between. */
    @Test
    void longLine_takesSeveralTransactions() {
        List<QueuedAnswer<Attempt>> acquired =
                claims(3 * Batch.MOST).stream().map(this::acquire).toList();
        busy.countDown();

        assertThat(acquired).allSatisfy(answer -> assertThat(fence(answer)).isPositive());
        assertThat(commands).containsExactly(BEGIN, COMMIT, BEGIN, COMMIT, BEGIN, COMMIT);
    }

    @Test
    void transactionThatHasLastedLong_takesNoMore() {
        worker.close();
        worker = workerThatShares(Duration.ZERO);
        occupy();
        List<QueuedAnswer<Attempt>> acquired =
                claims(3).stream().map(this::acquire).toList();
        busy.countDown();

        assertThat(acquired).allSatisfy(answer -> assertThat(fence(answer)).isPositive());
        assertThat(commands).as("the last one is alone").containsExactly(BEGIN, COMMIT, BEGIN, COMMIT);
    }

    // ---- the answers

    /** Another connection sees what has been told. */
    @Test
    void I02_noGrantIsTold_beforeItsCommit() {
        List<CompletableFuture<Long>> seen = claims(10).stream()
                .map(claim -> acquire(claim)
                        .thenApply(granted -> rows.number("SELECT count(*) FROM interlock_lock WHERE held AND owner = '"
                                + claim.owner().value() + "'")))
                .toList();
        busy.countDown();

        assertThat(seen).allSatisfy(number -> assertThat(number.join()).isEqualTo(1));
        assertThat(commands).containsExactly(BEGIN, COMMIT);
    }

    /** Whatever fails, and whatever it has written before, the others are done, and it alone has failed. */
    @ParameterizedTest
    @ValueSource(strings = {"SQL", "RUNTIME", "ERROR"})
    void failure_harmsNoNeighbour_andLeavesNothing(String kind) {
        Claim before = names.claim("before");
        Claim after = names.claim("after");
        Claim half = names.claim("half");
        QueuedAnswer<Attempt> first = acquire(before);
        QueuedAnswer<Attempt> failing = worker.submitSharing(opened -> opened.inTransaction(() -> {
            new AcquireOperation(opened, half).run();
            throw failure(kind);
        }));
        QueuedAnswer<Attempt> last = acquire(after);
        busy.countDown();

        assertThatThrownBy(failing::join).hasStackTraceContaining("failed on purpose");
        assertThat(fence(first)).isPositive();
        assertThat(fence(last)).isPositive();
        assertThat(names.release(before)).isTrue();
        assertThat(names.release(after)).isTrue();
        assertThat(names.inspect("half").holders()).isEmpty();
        assertThat(commands).startsWith(BEGIN, ROLLBACK);
    }

    private static SQLException failure(String kind) {
        switch (kind) {
            case "RUNTIME" -> throw new IllegalArgumentException("failed on purpose");
            case "ERROR" -> throw new AbstractMethodError("failed on purpose");
            default -> {
                return new SQLException("failed on purpose");
            }
        }
    }

    /** The failure of one name only, which the connection survives. */
    @Test
    void exhaustedFence_harmsNoNeighbour() {
        Claim spoilt = names.hold("spoilt");
        names.release(names.hold("other"));
        rows.execute("UPDATE interlock_lock SET fence = " + LARGEST_FENCE + ", until_ms = 0");
        QueuedAnswer<Attempt> first = acquire(names.claim("a"));
        QueuedAnswer<Attempt> failing = acquire(names.claim("spoilt"));
        QueuedAnswer<Attempt> last = acquire(names.claim("b"));
        Session used = session.get();
        busy.countDown();

        assertThatThrownBy(failing::join).hasCauseInstanceOf(FenceExhaustedException.class);
        assertThat(fence(first)).isPositive();
        assertThat(fence(last)).isPositive();
        assertThat(sessionNow()).as("session").isSameAs(used);
        assertThat(names.release(spoilt)).isFalse();
    }

    /** Nobody knows whether the commit has happened: here it has, and a second release would be told a lie. */
    @Test
    void P09_unknownCommit_isUnknownForAll() {
        Claim held = names.hold("held");
        QueuedAnswer<Attempt> acquired = acquire(names.claim("x"));
        QueuedAnswer<Boolean> released = release(held);
        hooks.add(new Hook(COMMIT, false, () -> {
            throw new SQLException("the answer is lost");
        }));
        Session used = session.get();
        busy.countDown();

        assertThatThrownBy(acquired::join).hasStackTraceContaining("the answer is lost");
        assertThatThrownBy(released::join).hasStackTraceContaining("the answer is lost");
        assertThat(acquired.withdraw()).as("was never sent").isFalse();
        assertThat(names.inspect("held").holders()).isEmpty();
        assertThat(names.inspect("x").holders()).hasSize(1);
        assertThat(sessionNow()).as("session").isNotSameAs(used);
    }

    /** A commit that is refused because of others has changed nothing, and the database says so. */
    @Test
    void refusedCommit_isRepeated() {
        List<QueuedAnswer<Attempt>> acquired =
                claims(3).stream().map(this::acquire).toList();
        hooks.add(new Hook(COMMIT, true, () -> {
            throw new SQLException("in the way", "", BUSY);
        }));
        busy.countDown();

        assertThat(acquired).allSatisfy(answer -> assertThat(fence(answer)).isPositive());
        assertThat(rows.number("SELECT count(*) FROM interlock_lock WHERE held"))
                .isEqualTo(3);
        assertThat(commands).containsExactly(BEGIN, COMMIT, ROLLBACK);
    }

    // ---- deadlines

    @Test
    void P12_withdrawnRequest_doesNotBegin() {
        AtomicInteger ran = new AtomicInteger();
        QueuedAnswer<Attempt> first = acquire(names.claim("a"));
        QueuedAnswer<Integer> withdrawn = worker.submitSharing(opened -> ran.incrementAndGet());
        QueuedAnswer<Attempt> last = acquire(names.claim("b"));
        assertThat(withdrawn.withdraw()).isTrue();
        busy.countDown();

        assertThat(fence(first)).isPositive();
        assertThat(fence(last)).isPositive();
        assertThat(ran).hasValue(0);
        assertThat(commands).containsExactly(BEGIN, COMMIT);
    }

    /** A transaction that has not begun has sent nothing, however long it waits for other processes. */
    @Test
    void P12_requestIsNotBegun_beforeItsTransaction() {
        AtomicInteger ran = new AtomicInteger();
        QueuedAnswer<Attempt> first = acquire(names.claim("a"));
        QueuedAnswer<Integer> withdrawn = worker.submitSharing(opened -> ran.incrementAndGet());
        CompletableFuture<Boolean> unsent = new CompletableFuture<>();
        hooks.add(new Hook(BEGIN, true, () -> unsent.complete(withdrawn.withdraw())));
        busy.countDown();

        assertThat(fence(first)).isPositive();
        assertThat(unsent).isCompletedWithValue(true);
        assertThat(ran).hasValue(0);
    }

    /** The engine waits for the outcome of what it could not withdraw. */
    @Test
    void P09_begunRequest_isAnswered_evenIfItIsUndone() {
        AtomicInteger ran = new AtomicInteger();
        QueuedAnswer<Integer> begun = worker.submitSharing(opened -> ran.incrementAndGet());
        QueuedAnswer<Boolean> failing = worker.submitSharing(opened -> {
            throw new SQLException("failed on purpose");
        });
        CompletableFuture<Boolean> unsent = new CompletableFuture<>();
        hooks.add(new Hook(ROLLBACK, true, () -> unsent.complete(begun.withdraw())));
        busy.countDown();

        assertThatThrownBy(failing::join).hasStackTraceContaining("failed on purpose");
        assertThatThrownBy(begun::join).hasStackTraceContaining("failed on purpose");
        assertThat(unsent).isCompletedWithValue(false);
        assertThat(ran).hasValue(1);
    }

    /** Those that only read are answered while another process keeps the file, as they are when they are alone. */
    @Test
    void busyFile_stopsNoReader() throws SQLException {
        Claim held = names.hold("held");
        QueuedAnswer<LockStatus> reading = worker.submitSharing(opened -> new InspectOperation(opened).one(held.id()));
        QueuedAnswer<Attempt> writing = acquire(names.claim("held"));
        try (Connection stranger = rows.connect();
                Statement statement = stranger.createStatement()) {
            statement.execute(BEGIN);
            busy.countDown();
            assertThat(reading.join().holders()).hasSize(1);
            assertThatThrownBy(writing::join).hasStackTraceContaining("busy");
        }
        assertThat(names.release(held)).isTrue();
    }

    @Test
    void closedStore_failsThoseInLine() {
        List<QueuedAnswer<Attempt>> acquired =
                claims(3).stream().map(this::acquire).toList();
        worker.close();
        busy.countDown();

        for (QueuedAnswer<Attempt> answer : acquired) {
            assertThatThrownBy(answer::join).hasMessageContaining("closed");
        }
        assertThat(rows.count("lock")).isZero();
    }

    // ---- wakes

    /** A wake before the commit would be in vain: the name would still be busy. */
    @Test
    void P11_wake_followsTheCommit_andWaitsForNoOthers() {
        List<Wake> received = new CopyOnWriteArrayList<>();
        try (Client waiting = new Client(file)) {
            waiting.store().onWake(received::add);
            Claim held = names.hold("held");
            Claim next = waiting.await("held", Duration.ofSeconds(1));
            AtomicInteger ran = new AtomicInteger();
            QueuedAnswer<Attempt> before = acquire(names.claim("before"));
            QueuedAnswer<Boolean> released = release(held);
            QueuedAnswer<Integer> after = worker.submitSharing(opened -> ran.incrementAndGet());
            List<String> atCommit = new CopyOnWriteArrayList<>();
            hooks.add(new Hook(
                    COMMIT,
                    true,
                    () -> atCommit.add("unsent="
                            + !Objects.requireNonNull(session.get())
                                    .pendingWakes()
                                    .isEmpty() + ", ran=" + ran)));
            busy.countDown();

            await().until(() -> received.size() == 1);
            assertThat(received.get(0).owner()).isEqualTo(next.owner());
            assertThat(waiting.isGranted(next)).isTrue();
            assertThat(released.join()).isTrue();
            assertThat(fence(before)).isPositive();
            assertThat(after.join()).isEqualTo(1);
            assertThat(atCommit).containsExactly("unsent=true, ran=0");
        }
    }

    /** The transaction that takes a dead waiter off the list is one more, after the commit. */
    @Test
    void I05_turnOfAnUnreachableWaiter_passesOn() throws IOException {
        List<Wake> received = new CopyOnWriteArrayList<>();
        try (Client dead = new Client(file);
                Client waiting = new Client(file)) {
            dead.store().onWake(wake -> {});
            waiting.store().onWake(received::add);
            Claim held = names.hold("held");
            dead.await("held", Duration.ofSeconds(2));
            removeSockets();
            Claim next = waiting.await("held", Duration.ofSeconds(1));
            QueuedAnswer<Attempt> before = acquire(names.claim("before"));
            QueuedAnswer<Boolean> released = release(held);
            busy.countDown();

            await().until(() -> received.size() == 1);
            assertThat(received.get(0).owner()).isEqualTo(next.owner());
            assertThat(released.join()).isTrue();
            assertThat(fence(before)).isPositive();
        }
    }

    private void removeSockets() throws IOException {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(directory, "*-wake-*")) {
            for (Path socket : sockets) {
                Files.delete(socket);
            }
        }
    }

    // ---- tools

    private List<Claim> claims(int number) {
        return IntStream.range(0, number).mapToObj(i -> names.claim("n" + i)).toList();
    }

    private QueuedAnswer<Attempt> acquire(Claim claim) {
        return worker.submitSharing(opened -> new AcquireOperation(opened, claim).run());
    }

    private QueuedAnswer<Boolean> release(Claim claim) {
        return worker.submitSharing(opened -> new ReleaseOperation(opened, claim).run());
    }

    private static long fence(QueuedAnswer<Attempt> answer) {
        return ((Attempt.Granted) answer.join()).fence();
    }

    private Session sessionNow() {
        return worker.submit(opened -> opened).join();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Records the commands of transactions, and runs the hooks at them. */
    private Connection watched(Connection connection) {
        return proxy(Connection.class, connection, (method, arguments, call) -> {
            Object result = call.run();
            return method.getName().equals("prepareStatement")
                    ? watched((PreparedStatement) result, (String) arguments[0])
                    : result;
        });
    }

    private PreparedStatement watched(PreparedStatement statement, String sql) {
        if (Stream.of(BEGIN, COMMIT, ROLLBACK).noneMatch(sql::equals)) {
            return statement;
        }
        return proxy(PreparedStatement.class, statement, (method, arguments, call) -> {
            if (!method.getName().equals("execute")) {
                return call.run();
            }
            commands.add(sql);
            runHooks(sql, true);
            Object result = call.run();
            runHooks(sql, false);
            return result;
        });
    }

    private void runHooks(String sql, boolean before) throws SQLException {
        for (Hook hook : List.copyOf(hooks)) {
            if (hook.command.equals(sql) && hook.before == before) {
                hooks.remove(hook);
                hook.action.run();
            }
        }
    }

    private static <T> T proxy(Class<T> type, T target, Watcher watcher) {
        return type.cast(Proxy.newProxyInstance(
                BatchTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> watcher.on(method, arguments, () -> {
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
    }

    /** Runs once, before or after the next such command. */
    private record Hook(String command, boolean before, Action action) {}

    private interface Action {
        void run() throws SQLException;
    }

    private interface Watcher {
        Object on(Method method, Object[] arguments, Call call) throws Throwable;
    }

    private interface Call {
        Object run() throws Throwable;
    }
}
