package dev.interlock.jdbc;

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
import dev.interlock.testkit.server.MariaDbServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Old rows are removed between operations, which must not wait for that. */
class SweepTest {

    /** Less than a statement may wait. */
    private static final Duration AT_ONCE = Duration.ofMillis(900);

    /** More than a sweep deletes at a time. */
    private static final int HOLDERS = 100;

    /** Longer than the row of an unused name is kept. */
    private static final long UNUSED_MICROS = 120_000_000;

    private static final long AN_HOUR_MICROS = 3_600_000_000L;

    @TempDir
    private Path directory = Path.of(".");

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void lockedRow_isSkipped_andRemovedOnceItIsFree(TestDatabase database) throws SQLException {
        assertThat(timeOfOperationsBesideALockedRow(database.newUrl(directory))).isPositive();
    }

    @Tag(Effort.TIMING)
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void lockedRow_delaysNoOperation(TestDatabase database) throws SQLException {
        assertThat(timeOfOperationsBesideALockedRow(database.newUrl(directory))).isLessThan(AT_ONCE);
    }

    /** A stranger keeps one of two dead waiters locked, whose row stays until the stranger commits. */
    private static Duration timeOfOperationsBesideALockedRow(String url) throws SQLException {
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            client.hold("x");
            Claim locked = client.await("x", Duration.ofSeconds(2));
            // Or the next claim might remove it: on a busy machine it comes late.
            statement.execute("UPDATE interlock_claim SET until_ms = until_ms + 600000");
            client.await("x", Duration.ofSeconds(1));
            statement.execute("UPDATE interlock_claim SET until_ms = 0");
            keep(stranger, locked);

            // Each client begins with a sweep. The quickest counts, as the machine may pause.
            Duration quickest = Stream.generate(() -> timeOfAPair(url))
                    .limit(3)
                    .min(Comparator.naturalOrder())
                    .orElseThrow();

            assertThat(claims(statement)).isOne();
            stranger.rollback();
            await().until(() -> {
                timeOfAPair(url);
                return claims(statement) == 0;
            });
            return quickest;
        }
    }

    /**
     * P10: a clock that was an hour ahead is set back when a sweep has found what is over, and has deleted some of it.
     * A stranger keeps one of the other rows locked.
     */
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void P10_clockSetBackUnderASweep_endsNoClaim(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        LockId permits = new LockId("permits", LockKind.SEMAPHORE);
        try (Client holder = new Client(url);
                Client sweeping = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            List<Claim> held = Stream.generate(() -> holder.claim(permits).inMode(new Mode.Permits(1, HOLDERS)))
                    .limit(HOLDERS)
                    .toList();
            held.forEach(holder::granted);
            statement.execute("UPDATE interlock_claim SET until_ms = until_ms - 3600000");
            sweeping.hold("first");
            await().until(() -> claims(statement) < HOLDERS);

            statement.execute("UPDATE interlock_claim SET until_ms = until_ms + 3600000");
            Set<String> left = owners(statement);
            assertThat(left).isNotEmpty();
            Claim locked = held.stream()
                    .filter(claim -> left.contains(claim.owner().value()))
                    .findFirst()
                    .orElseThrow();
            keep(stranger, locked);
            // Each of them deletes what is next; when one is answered, the one before has.
            Stream.of("second", "third", "fourth", "fifth", "sixth").forEach(sweeping::hold);

            assertThat(owners(statement)).isEqualTo(left);
            stranger.rollback();
            assertThat(held)
                    .filteredOn(claim -> left.contains(claim.owner().value()))
                    .allSatisfy(claim -> assertThat(holder.renew(claim)).isEqualTo(Renewal.HELD));
        }
    }

    /** I3: the name is gone, and after that the clock is set back by an hour. */
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void P07_clockSetBackAfterASweep_tokensIncrease(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url);
                Client sweeping = new Client(url);
                Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            Claim first = client.claim("swept");
            long last = client.granted(first) - UNUSED_MICROS;
            client.release(first);
            statement.execute("UPDATE interlock_lock SET fence = " + last);

            sweeping.hold("other");
            await().until(() -> number(statement, "SELECT count(*) FROM interlock_lock") == 1);
            statement.execute("UPDATE interlock_fence SET last = last + " + AN_HOUR_MICROS);

            assertThat(client.granted(client.claim("swept"))).isGreaterThan(last + AN_HOUR_MICROS);
        }
    }

    private static Set<String> owners(Statement statement) throws SQLException {
        Set<String> owners = new HashSet<>();
        try (ResultSet row = statement.executeQuery("SELECT owner FROM interlock_claim")) {
            while (row.next()) {
                owners.add(row.getString(1));
            }
        }
        return owners;
    }

    /** A sweep is stopped while it deletes the last of a hundred rows: only few rows are locked meanwhile. */
    @Test
    void stoppedSweep_keepsFewRowsLocked() throws SQLException {
        String url = MariaDbServer.shared().url(MariaDbServer.shared().createDatabase());
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            client.hold("x");
            for (int i = 0; i < 100; i++) {
                client.await("x", Duration.ofSeconds(2));
            }
            statement.execute("CREATE TABLE last_of_all AS SELECT max(owner) AS owner FROM interlock_claim");
            statement.execute("CREATE TRIGGER stop_at_last BEFORE DELETE ON interlock_claim FOR EACH ROW"
                    + " IF OLD.owner = (SELECT owner FROM last_of_all) THEN DO GET_LOCK('sweep', 60); END IF");
            statement.execute("DO GET_LOCK('sweep', 0)");
            statement.execute("UPDATE interlock_claim SET until_ms = 0");

            try (Client sweeping = new Client(url)) {
                // Each operation deletes a few rows, so these delete all.
                Stream.of("y1", "y2", "y3", "y4")
                        .forEach(name -> sweeping.store().acquire(sweeping.claim(name)));
                await().pollInterval(Duration.ofMillis(20)).until(() -> isStopped(statement));
                long all = number(statement, "SELECT count(*) FROM interlock_claim");
                long free = lockable(statement);
                assertThat(all - free).isBetween(1L, 32L);
                statement.execute("DO RELEASE_LOCK('sweep')");
            }
        }
    }

    private static boolean isStopped(Statement statement) throws SQLException {
        return number(
                        statement,
                        "SELECT count(*) FROM information_schema.processlist WHERE db = database() AND state = "
                                + "'User lock'")
                == 1;
    }

    /** How many claims are not locked. */
    private static long lockable(Statement statement) throws SQLException {
        long rows = 0;
        try (ResultSet row = statement.executeQuery("SELECT 1 FROM interlock_claim FOR UPDATE SKIP LOCKED")) {
            while (row.next()) {
                rows++;
            }
        }
        return rows;
    }

    private static Duration timeOfAPair(String url) {
        try (Client sweeping = new Client(url)) {
            long begun = System.nanoTime();
            sweeping.release(sweeping.hold("y"));
            return Duration.ofNanos(System.nanoTime() - begun);
        }
    }

    private static void keep(Connection stranger, Claim claim) throws SQLException {
        stranger.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        stranger.setAutoCommit(false);
        try (PreparedStatement select =
                stranger.prepareStatement("SELECT owner FROM interlock_claim WHERE owner = ? FOR UPDATE")) {
            select.setString(1, claim.owner().value());
            assertThat(select.executeQuery().next()).isTrue();
        }
    }

    private static long claims(Statement statement) throws SQLException {
        return number(statement, "SELECT count(*) FROM interlock_claim");
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
