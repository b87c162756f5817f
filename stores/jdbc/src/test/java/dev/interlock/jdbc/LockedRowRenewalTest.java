package dev.interlock.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A row that a stranger keeps locked costs its claim a renewal, and no other claim of the same request. */
class LockedRowRenewalTest {

    private static final Duration SHORT = Duration.ofMillis(1_200);

    /** Too short to wait for a row while others of the request need the answer. */
    private static final Duration BRIEF = Duration.ofSeconds(5);

    /** Less than a statement may wait. */
    private static final Duration AT_ONCE = Duration.ofMillis(900);

    private static final Duration TIMELY = Duration.ofSeconds(4);

    /** So many clients keep a row locked nearly always. */
    private static final int ASKING = 12;

    @TempDir
    private Path directory = Path.of(".");

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void otherLocks_areRenewed(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url)) {
            // More claims than one transaction renews, with the locked one among the first.
            List<Claim> others = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                others.add(client.hold("b" + i));
            }
            Claim locked = client.hold("a");
            Claim gone = client.hold("c");
            assertThat(client.release(gone)).isTrue();
            List<Claim> all = new ArrayList<>(others);
            all.add(locked);
            all.add(gone);
            keep(stranger, "lock", locked);

            // The first renewal waits for the row; the next ones, soon afterwards, do not.
            for (int i = 0; i < 3; i++) {
                assertThat(client.renew(all))
                        .doesNotContainKey(locked)
                        .hasSize(121)
                        .containsEntry(gone, Renewal.DELETED)
                        .containsEntry(others.get(0), Renewal.HELD)
                        .containsEntry(others.get(119), Renewal.HELD);
            }

            stranger.rollback();
            assertThat(client.renew(all)).hasSize(122).containsEntry(locked, Renewal.HELD);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void otherShares_areRenewed(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url)) {
            Claim locked = share(client);
            Claim other = share(client);
            Claim lock = client.hold("x");
            keep(stranger, "claim", locked);

            assertThat(client.renew(List.of(lock, locked, other))).containsOnlyKeys(lock, other);

            stranger.rollback();
            assertThat(client.renew(List.of(lock, locked, other)).values())
                    .containsOnly(Renewal.HELD)
                    .hasSize(3);
        }
    }

    /** The rest of a short lease is shorter than a wait for a row. */
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void shortLeases_areRenewed(TestDatabase database) throws SQLException {
        assertThat(quickestRenewalOfAShortLease(database)).isPositive();
    }

    @Tag(Effort.TIMING)
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void shortLeases_areRenewedAtOnce(TestDatabase database) throws SQLException {
        assertThat(quickestRenewalOfAShortLease(database)).isLessThan(AT_ONCE);
    }

    private Duration quickestRenewalOfAShortLease(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Connection stranger = DriverManager.getConnection(url)) {
            // New clients, which have not waited in vain. The quickest counts, as the machine may pause.
            Duration quickest = ChronoUnit.FOREVER.getDuration();
            for (int i = 0; i < 3; i++) {
                try (Client client = new Client(url)) {
                    Claim other = client.hold("b" + i).withLease(SHORT);
                    Claim locked = client.hold("a" + i).withLease(SHORT);
                    keep(stranger, "lock", locked);

                    long begun = System.nanoTime();
                    assertThat(client.renew(List.of(locked, other))).containsOnlyKeys(other);
                    Duration took = Duration.ofNanos(System.nanoTime() - begun);
                    quickest = took.compareTo(quickest) < 0 ? took : quickest;
                }
            }
            return quickest;
        }
    }

    /** The row is hardly ever free: the renewal gets it by queueing with others. */
    @Tag(Effort.TIMING)
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void shortLease_isRenewedOnABusyName(TestDatabase database) throws InterruptedException {
        String url = database.newUrl(directory);
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch asked = new CountDownLatch(ASKING);
        ExecutorService threads = Executors.newFixedThreadPool(ASKING);
        try (Client client = new Client(url)) {
            Claim busy = client.hold("busy").withLease(BRIEF);
            Claim other = client.hold("other").withLease(BRIEF);
            List<Future<?>> all = IntStream.range(0, ASKING)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> ask(url, done, asked)))
                    .toList();
            asked.await();
            client.renew(List.of(busy, other));

            // Like the engine: the claims that were left out are soon renewed alone.
            await().atMost(TIMELY).until(() -> client.renew(List.of(busy)).get(busy) == Renewal.HELD);

            assertThat(all).noneMatch(Future::isDone);
        } finally {
            done.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static void ask(String url, AtomicBoolean done, CountDownLatch asked) {
        try (Client client = new Client(url)) {
            while (!done.get()) {
                // Nobody is granted; on a slow machine a request may fail.
                client.store()
                        .acquire(client.claim("busy"))
                        .handle((attempt, refusal) -> true)
                        .toCompletableFuture()
                        .join();
                asked.countDown();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void manyLockedRows_areLeftOut(TestDatabase database) throws SQLException {
        assertThat(renewalWithManyLockedRows(database)).isGreaterThan(AT_ONCE);
    }

    @Tag(Effort.TIMING)
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void manyLockedRows_costOneWait(TestDatabase database) throws SQLException {
        assertThat(renewalWithManyLockedRows(database)).isLessThan(AT_ONCE.multipliedBy(4));
    }

    private Duration renewalWithManyLockedRows(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url)) {
            List<Claim> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(client.hold("a" + i));
            }
            for (Claim locked : all) {
                keep(stranger, "lock", locked);
            }
            Claim other = client.hold("b");
            all.add(other);

            long begun = System.nanoTime();
            assertThat(client.renew(all)).containsOnlyKeys(other);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);

            stranger.rollback();
            assertThat(client.renew(all).values()).containsOnly(Renewal.HELD).hasSize(9);
            return took;
        }
    }

    /** As on MySQL, which does not answer before the network time-out. */
    @Tag(Effort.TIMING)
    @Test
    void waitThatCostsTheConnection_isNotRepeatedAtOnce() throws SQLException {
        String url = TestDatabase.MARIADB.newUrl(directory);
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Connection killer = DriverManager.getConnection(url);
                Statement statement = killer.createStatement()) {
            Claim locked = client.hold("a");
            keep(stranger, "lock", locked);

            CompletionStage<Map<Claim, Renewal>> waiting = client.store().renew(List.of(locked));
            await().atMost(TIMELY).until(() -> killed(statement));
            assertThat(Client.failure(waiting)).hasMessageContaining("broke");

            // It would fail if it waited in vain again.
            assertThat(client.renew(List.of(locked))).isEmpty();
        }
    }

    /** Breaks the connection that waits for a row; returns whether there is one. */
    private static boolean killed(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "SELECT id FROM information_schema.processlist WHERE db = database() AND info LIKE 'UPDATE%'")) {
            return row.next() && !statement.execute("KILL CONNECTION " + row.getLong(1));
        }
    }

    /** Such a limit of the role or the server, shorter than the wait for a row, would end the connection instead. */
    @Test
    void waitForARow_isNotCutByALimitForTransactions() throws SQLException {
        String url = TestDatabase.POSTGRESQL.newUrl(directory);
        try (Client client = new Client(url + "&options=-c%20transaction_timeout=300");
                Connection stranger = DriverManager.getConnection(url)) {
            Claim locked = client.hold("a");
            keep(stranger, "lock", locked);

            assertThat(Client.failure(client.store().renew(List.of(locked))))
                    .hasMessageStartingWith("Others kept the tables interlock_* locked");
        }
    }

    private static Claim share(Client client) {
        Claim claim = client.claim(new LockId("shared", LockKind.READ_WRITE)).inMode(new Mode.Shared());
        client.granted(claim);
        return claim;
    }

    private static void keep(Connection stranger, String table, Claim claim) throws SQLException {
        if (stranger.getAutoCommit()) {
            stranger.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            stranger.setAutoCommit(false);
        }
        // Selects by the key: on databases other than PostgreSQL, rows that are only scanned might stay locked, too.
        try (PreparedStatement select = stranger.prepareStatement(
                "SELECT 1 FROM interlock_" + table + " WHERE name = ? AND kind = ? AND owner = ? FOR UPDATE")) {
            select.setBytes(1, claim.id().name().getBytes(UTF_8));
            select.setString(2, claim.id().kind().name());
            select.setString(3, claim.owner().value());
            try (ResultSet row = select.executeQuery()) {
                assertThat(row.next()).isTrue();
            }
        }
    }
}
