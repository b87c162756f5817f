package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.dialect.Dialects;
import dev.interlock.jdbc.dialect.NamedSql;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Very many rows that others have stored: the walk of sizes. Other names work, and a name with more claims than a
 * client reads says so.
 */
class SizeWalkTest extends FileTest {

    private static final String CLAIM = "kind, %s, state, mode, permits, fence, since_ms, until_ms, lease_ms, arrival,"
            + " channel, host, pid, application, thread";

    private static final String NAME = "kind, owner, held, mode, fence, since_ms, %s, lease_ms, listed_ms, amount,"
            + " kept_ms, host, pid, application, thread";

    /** Nobody leaves the line while it is written. */
    private static final long FAR_MS = 4_102_444_800_000L;

    /** A thousand waiters; in the long form a hundred thousand, and then too many. */
    @ParameterizedTest
    @EnumSource
    @Tag(Effort.SCALED)
    void manyWaiters_areTheTroubleOfTheirNameAlone(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url)) {
            Claim held = client.hold("crowd");
            Claim known = client.hold("known");
            client.await("crowd", Duration.ZERO);
            execute(url, "UPDATE interlock_claim SET until_ms = " + FAR_MS + ", lease_ms = " + FAR_MS);
            int rounds = Effort.pick(10, 17);
            for (int round = 0; round < rounds; round++) {
                String owner = concatenated(database, "owner", round);
                execute(
                        url,
                        "INSERT INTO interlock_claim (name, " + CLAIM.formatted("owner") + ") SELECT name, "
                                + CLAIM.formatted(owner) + " FROM interlock_claim");
            }

            assertThat(client.inspect("crowd").waiters()).hasSize(1 << rounds);
            assertOthersWork(client, known);
            assertThat(client.isGranted(client.claim("crowd"))).isFalse();
            assertThat(client.renew(held)).isEqualTo(Renewal.HELD);
            assertThat(client.release(held)).isTrue();
        }
    }

    /** So many that nobody reads them. A server that counts up to the most for two seconds is given up before. */
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"H2", "SQLITE"})
    @Tag("wide")
    void tooManyWaiters_areSaid(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url)) {
            client.hold("crowd");
            Claim known = client.hold("known");
            client.await("crowd", Duration.ZERO);
            execute(url, "UPDATE interlock_claim SET until_ms = " + FAR_MS + ", lease_ms = " + FAR_MS);
            for (int round = 0; 1 << round <= Dialect.MOST_ROWS; round++) {
                String owner = concatenated(database, "owner", round);
                execute(
                        url,
                        "INSERT INTO interlock_claim (name, " + CLAIM.formatted("owner") + ") SELECT name, "
                                + CLAIM.formatted(owner) + " FROM interlock_claim");
            }

            assertThat(Client.failure(client.store().inspect(LockId.lock("crowd"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("'crowd'")
                    .hasMessageContaining("too many claims");
            assertOthersWork(client, known);
        }
    }

    /** What is counted is bounded, too: a count of all would take as long as others like. */
    @ParameterizedTest
    @EnumSource
    void claimsBeyondTheMost_areNotCounted(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url)) {
            client.hold("crowd");
            for (int waiter = 0; waiter < 10; waiter++) {
                client.await("crowd", Duration.ZERO);
            }
            assertThat(counts(url, SqlStatement.LOAD, 2)).containsExactly(3);
            assertThat(counts(url, SqlStatement.INSPECT, 2)).containsExactly(3);
            assertThat(counts(url, SqlStatement.INSPECT, 10)).hasSize(10).containsOnly(10);
        }
    }

    /** The number of claims, as each row of a statement has it, if it reads so many at the most. */
    private static List<Integer> counts(String url, SqlStatement statement, int most) throws SQLException {
        List<Integer> counts = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url)) {
            Dialect dialect = Dialects.of(connection);
            NamedSql sql = NamedSql.parse(dialect.sql(statement), "interlock");
            String text = sql.text()
                    .replace(String.valueOf(Dialect.MOST_ROWS + 1), String.valueOf(most + 1))
                    .replace(String.valueOf(Dialect.MOST_ROWS), String.valueOf(most));
            try (PreparedStatement prepared = connection.prepareStatement(text)) {
                for (int i = 0; i < sql.parameters().size(); i++) {
                    Object value =
                            switch (sql.parameters().get(i)) {
                                case "name" -> dialect.encodedName("crowd");
                                case "kind" -> LockKind.LOCK.name();
                                default -> "";
                            };
                    prepared.setObject(i + 1, value);
                }
                ResultSet rows = prepared.executeQuery();
                while (rows.next()) {
                    counts.add(rows.getInt(2));
                }
            }
        }
        return counts;
    }

    /** Some thousand names that nobody holds; in the long form a million. A list comes to those behind them. */
    @ParameterizedTest
    @EnumSource
    @Tag(Effort.SCALED)
    void manyFreeNames_delayNobody(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url)) {
            client.hold("name");
            execute(url, "UPDATE interlock_lock SET held = 0, owner = '', until_ms = 0");
            multiply(database, url, Effort.pick(13, 20));

            assertOthersWork(client, client.hold("z known"));
        }
    }

    /** More than one part of a list inspects. */
    @ParameterizedTest
    @EnumSource
    void manyHeldNames_areListed(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url)) {
            client.hold("a");
            client.hold(new LockId("b", LockKind.READ_WRITE), Client.LONG_LEASE);
            client.hold("name");
            multiply(database, url, 8);

            assertThat(listed(client, "name", 1_000))
                    .hasSize(256)
                    .doesNotHaveDuplicates()
                    .isSorted();
            for (int limit : List.of(1, 99, 100, 101, 200, 256)) {
                assertThat(listed(client, "name", limit)).hasSize(limit);
            }
            assertThat(listed(client, "", 1_000)).hasSize(258).startsWith("a", "b");
            assertThat(listed(client, "other", 1_000)).isEmpty();
        }
    }

    /** By what the server says that it has read. */
    @ParameterizedTest
    @EnumSource(
            value = SqlStatement.class,
            names = {"CATALOG", "PAGE_NAMES", "PAGE_CLAIMS"})
    void noRowsBeforeTheCursor_areRead(SqlStatement statement) throws SQLException {
        String url = TestDatabase.MARIADB.newUrl(directory);
        try (Client client = new Client(url)) {
            client.hold("name");
        }
        multiply(TestDatabase.MARIADB, url, 12);
        execute(
                url,
                "INSERT INTO interlock_claim (name, kind, owner, state, mode, permits, fence, since_ms, until_ms,"
                        + " lease_ms, arrival, channel, host, pid, application, thread)"
                        + " SELECT name, kind, 'owner', 'W', mode, 1, fence, since_ms, until_ms, lease_ms, 0, '',"
                        + " host, pid, application, thread FROM interlock_lock");
        try (Connection connection = DriverManager.getConnection(url);
                Statement status = connection.createStatement()) {
            Dialect dialect = Dialects.of(connection);
            NamedSql sql = NamedSql.parse(dialect.sql(statement), "interlock");
            try (PreparedStatement prepared = connection.prepareStatement(sql.text())) {
                for (int i = 0; i < sql.parameters().size(); i++) {
                    Object value =
                            switch (sql.parameters().get(i)) {
                                case "prefix" -> dialect.encodedName("");
                                case "name" -> dialect.encodedName("namel");
                                case "window", "most", "unused" -> 10;
                                default -> "";
                            };
                    prepared.setObject(i + 1, value);
                }
                status.execute("FLUSH STATUS");
                prepared.executeQuery().close();
            }
            long read = 0;
            try (ResultSet row = status.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%next'")) {
                while (row.next()) {
                    read += row.getLong(2);
                }
            }
            assertThat(read).isLessThan(1_000);
        }
    }

    /** What is asked while a list is read comes between its parts. */
    @ParameterizedTest
    @EnumSource
    void aLongList_isInNobodysWay(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url)) {
            client.hold("name");
            multiply(database, url, 10);

            await().pollInSameThread().until(() -> {
                CompletableFuture<List<LockStatus>> list =
                        ((LockCatalog) client.store()).list("", 2_000).toCompletableFuture();
                boolean isBetween = client.store()
                        .inspect(LockId.lock("name"))
                        .thenApply(status -> !list.isDone())
                        .toCompletableFuture()
                        .get();
                assertThat(list.get()).hasSize(1 << 10);
                return isBetween;
            });
        }
    }

    /** Twice as many names of locks that begin with "name", so often. */
    private static void multiply(TestDatabase database, String url, int rounds) throws SQLException {
        for (int round = 0; round < rounds; round++) {
            execute(
                    url,
                    "INSERT INTO interlock_lock (name, " + NAME.formatted("until_ms") + ") SELECT "
                            + concatenated(database, "name", round) + ", " + NAME.formatted("until_ms")
                            + " FROM interlock_lock WHERE kind = 'LOCK' AND fence = (SELECT MAX(l.fence) FROM"
                            + " (SELECT fence FROM interlock_lock) l)");
        }
    }

    private static List<String> listed(Client client, String prefix, int limit) {
        return Client.answer(((LockCatalog) client.store()).list(prefix, limit)).stream()
                .map(LockStatus::name)
                .toList();
    }

    private static void assertOthersWork(Client client, Claim known) {
        assertThat(Client.answer(((LockCatalog) client.store()).list("", 10)))
                .extracting(LockStatus::name)
                .contains(known.id().name());
        assertThat(client.renew(known)).isEqualTo(Renewal.HELD);
        assertThat(client.release(known)).isTrue();
        client.release(client.hold("new"));
    }

    /** The column with another text at its end, so that twice as many rows have different keys. */
    private static String concatenated(TestDatabase database, String column, int round) {
        char more = (char) ('a' + round);
        return switch (database) {
            case SQLITE -> column + " || '" + more + "'";
            case MARIADB -> "CONCAT(" + column + ", '" + more + "')";
            case H2 -> column.equals("name") ? "name || CAST('" + more + "' AS VARBINARY)" : "owner || '" + more + "'";
            case POSTGRESQL ->
                column.equals("name") ? "name || CAST('" + more + "' AS bytea)" : "owner || '" + more + "'";
        };
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
