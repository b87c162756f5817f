package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.Party;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.dialect.SchemaScript;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The store copes with tables, rights and pools as it finds them, and leaves them so. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresSetUpTest {

    private final String url = PostgresServer.shared().newDatabase();

    private static Client client(String url) {
        return new Client(url);
    }

    private static void assertError(String url, String... said) {
        try (Client client = client(url)) {
            // A machine that is busy for longer than the store waits for its server is another reason to fail.
            await().untilAsserted(() -> {
                Throwable failure = Client.failure(client.store().acquire(client.claim("x")));
                assertThat(failure)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll(said);
                assertThat(String.valueOf(failure.getMessage())).doesNotContain("\n", "secret");
            });
        }
    }

    @Test
    void error_noTables_andNoRightToCreateThem() {
        PostgresServer.execute(url, "CREATE ROLE guest_" + suffix() + " LOGIN PASSWORD 'secret'");
        String guest = url.replace("user=postgres", "user=guest_" + suffix() + "&password=secret");

        assertError(
                guest,
                "may not create",
                "interlock schema --dialect postgresql --prefix interlock",
                "database=jdbc:postgresql:");
        // The guest can once somebody else has run the script and granted the rights that the message names.
        for (String table : new String[] {"x"}) {
            try (Client owner = client(url)) {
                owner.release(owner.hold(table));
            }
        }
        PostgresServer.execute(
                url, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO guest_" + suffix());
        try (Client client = client(guest)) {
            assertThat(client.release(client.hold("x"))).isTrue();
        }
        assertError(guest + "&prefix=other", "tables other_*");
    }

    /** The client that created the tables has died, and the next one may use them, but not create the rest. */
    @Test
    void error_halfOfTheTables_andNoRightToCreateTheRest() {
        PostgresServer.execute(url, "CREATE ROLE half_" + suffix() + " LOGIN PASSWORD 'secret'");
        String guest = url.replace("user=postgres", "user=half_" + suffix() + "&password=secret");
        List<String> statements = new SchemaScript("postgresql").statements();
        for (String sql : statements.subList(0, statements.size() - 1)) {
            PostgresServer.execute(url, sql.replace("{p}", "interlock"));
            PostgresServer.execute(
                    url, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO half_" + suffix());
            assertError(guest, "may not create", "interlock schema --dialect postgresql --prefix interlock");
        }

        PostgresServer.execute(url, Schema.script("postgresql", "interlock"));

        try (Client client = client(guest)) {
            assertThat(client.release(client.hold("x"))).isTrue();
        }
    }

    @Test
    void error_rowOfTheFencesCannotBeInserted() {
        PostgresServer.execute(
                url, new SchemaScript("postgresql").statements().get(0).replace("{p}", "interlock"));
        PostgresServer.execute(
                url, "CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
        PostgresServer.execute(
                url, "CREATE TRIGGER skip BEFORE INSERT ON interlock_fence FOR EACH ROW EXECUTE FUNCTION skip()");
        assertError(url, "interlock_fence has no row");
    }

    private String suffix() {
        return url.replaceAll(".*/test_(\\d+).*", "$1");
    }

    @Test
    void error_readOnly() {
        try (Client client = client(url)) {
            client.release(client.hold("x"));
        }
        assertError(
                url + "&options=-c%20default_transaction_read_only=on",
                "read-only, as a replica is: name the primary",
                "default_transaction_read_only of this database");
    }

    @Test
    void error_notThere_andWrongUser() {
        assertError("jdbc:postgresql://u:secret@127.0.0.1:1/d", "cannot be reached", "127.0.0.1:1");
        assertError(url.replaceAll("/test_\\d+", "/none"), "does not exist");
        assertError(url.replace("user=postgres", "user=nobody"), "refuses this user");
    }

    @Test
    void error_otherTablesOfTheSameName() {
        PostgresServer.execute(url, "CREATE TABLE interlock_fence (version INTEGER, last BIGINT)");
        PostgresServer.execute(url, "INSERT INTO interlock_fence VALUES (2, 0)");
        assertError(url, "not as Interlock made them");
    }

    @Test
    void prefix_isOfTheUri() {
        try (Client one = client(url + "&prefix=one");
                Client two = client(url + "&prefix=two")) {
            one.hold("x");
            two.hold("x");
        }
        assertThat(PostgresServer.number(url, "SELECT count(*) FROM two_lock WHERE held = 1"))
                .isEqualTo(1);
    }

    /** An exhausted pool is like a store that does not answer; it is used again once it has a connection. */
    @Test
    void P10_exhaustedPool_isReported_andThenUsed() throws Exception {
        TestPool pool = new TestPool(url, 1, Duration.ofMillis(400));
        try (Interlock client = Interlock.builder(JdbcStore.over(pool.source())).build()) {
            DistributedLock lock = client.lock("x");
            try (Connection callers = pool.take()) {
                assertThat(callers.isClosed()).isFalse();
                assertThatThrownBy(() -> lock.tryLock(Duration.ofSeconds(1)))
                        .isInstanceOf(StoreUnavailableException.class);
            }
            assertThat(lock.tryLock(Duration.ofMinutes(5))).isTrue();
            lock.unlock();
        }
        await().until(() -> pool.out() == 0);
    }

    /** With a pool of one, no connection is left to listen on; locks are handed over all the same. */
    @Test
    void poolOfOne_isEnough() throws Exception {
        TestPool first = new TestPool(url, 1, Duration.ofMinutes(5));
        TestPool second = new TestPool(url, 1, Duration.ofMinutes(5));
        handOver(first, second, 1);
        assertThat(first.most()).isEqualTo(1);
    }

    @Test
    void atMostTwoConnections_areUsed_andRestored() throws Exception {
        TestPool first = new TestPool(url);
        TestPool second = new TestPool(url);
        handOver(first, second, 2);
        assertThat(second.most()).isEqualTo(2);
        await().until(() -> first.out() + second.out() == 0);
        try (Connection given = second.take();
                var row = given.createStatement().executeQuery("SHOW lock_timeout")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("0");
            assertThat(given.getAutoCommit()).isTrue();
            assertThat(given.getNetworkTimeout()).isZero();
        }
    }

    /** A pool whose connections are serializable, and have a network time-out, gets them back so. */
    @Test
    void settingsOfThePool_areRestored() throws SQLException {
        TestPool pool = new TestPool(
                url + "&options=-c%20default_transaction_isolation=serializable&socketTimeout=77",
                1,
                Duration.ofMinutes(5));
        try (Client client = new Client(JdbcStore.over(pool.source()))) {
            for (int i = 0; i < 20; i++) {
                client.release(client.hold("x"));
            }
        }
        await().until(() -> pool.out() == 0);
        try (Connection given = pool.take()) {
            assertThat(given.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(given.getNetworkTimeout()).isEqualTo(77_000);
        }
    }

    /** Hands a lock over once the one that waits has got so many connections. */
    private static void handOver(TestPool first, TestPool second, int connections) throws Exception {
        try (Interlock one = Interlock.builder(JdbcStore.over(first.source())).build();
                Interlock two =
                        Interlock.builder(JdbcStore.over(second.source())).build()) {
            for (int i = 0; i < 5; i++) {
                Lease held = one.lock("x").acquire();
                CompletableFuture<Lease> waiting = two.lock("x").acquireAsync().toCompletableFuture();
                await().until(() -> one.lock("x").inspect().waiters().size() == 1 && second.most() >= connections);
                held.close();
                waiting.get(5, TimeUnit.MINUTES).close();
            }
        }
    }

    @Test
    void P26_callersTransaction_isItsOwn() throws SQLException {
        TestPool pool = new TestPool(url);
        try (Client client = new Client(JdbcStore.over(pool.source()))) {
            client.hold("before");
            try (Connection callers = pool.take()) {
                callers.setAutoCommit(false);
                callers.createStatement().execute("SELECT * FROM interlock_lock");
                client.hold("x");
                callers.rollback();
                callers.setAutoCommit(true);
            }
            assertThat(client.inspect("x").isLocked()).isTrue();
        }
    }

    /** The name of a lock may have any characters all the same. */
    @Test
    void databaseWithoutUnicode_keepsWhatItCanOfTheNameOfAThread() {
        String name = "latin_" + suffix();
        PostgresServer.execute(
                url, "CREATE DATABASE " + name + " ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
        LockId id = LockId.lock("\u0438\u043c\u044f");
        try (Client client = client(url.replaceAll("/test_\\d+", "/" + name))) {
            Party party = new Party("h\u00f6st", 1, "app", "\u043f\u043e\u0442\u043e\u043a-1 \ud83d\ude00");
            Claim claim = Claim.of(id, OwnerId.of("client", 1), Client.LONG_LEASE, party);
            client.granted(claim);

            assertThat(client.inspect(id).holders()).singleElement().satisfies(holder -> assertThat(holder.party())
                    .isEqualTo(new Party("h?st", 1, "app", "?????-1 ?")));
        }
    }

    /** I3, I6: rows of unused names are deleted, and their fences stay. */
    @Test
    void P22_unusedNames_areRemoved_andTokensIncrease() {
        try (Client client = client(url)) {
            long last = 0;
            for (int i = 0; i < 300; i++) {
                Claim claim = client.claim("name-" + i);
                last = client.granted(claim);
                client.release(claim);
            }
            // As if the clock had been an hour ahead, and two minutes had passed since.
            long ahead = last + 3_600_000_000L;
            PostgresServer.execute(url, "UPDATE interlock_lock SET fence = 1");
            PostgresServer.execute(url, "UPDATE interlock_fence SET last = " + ahead);
            await().until(() -> {
                for (int i = 0; i < 70; i++) {
                    client.release(client.hold("alive"));
                }
                return PostgresServer.number(url, "SELECT count(*) FROM interlock_lock") == 1;
            });
            assertThat(client.granted(client.claim("name-7"))).isGreaterThan(ahead);
        }
    }

    @Test
    void P27_close_leavesNoThreadAndNoConnection() {
        Interlock interlock = Interlock.connect(url);
        interlock.lock("x").lock();
        await().until(() -> interlock.administration().inspect("x").size() == 1);

        interlock.close();

        await().until(() -> PostgresServer.number(
                        url,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
                                + "pg_backend_pid()")
                == 0);
        assertThat(PostgresServer.number(url, "SELECT count(*) FROM interlock_lock WHERE until_ms > 0"))
                .isZero();
        try (Client client = client(url)) {
            assertThat(client.inspect("x").isLocked()).isFalse();
        }
    }
}
