package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.server.MariaDbServer;
import dev.interlock.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P28: the rights that docs/sql.md names are enough for every verb, and each of them is needed by one. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeastRightsTest {

    private static final List<String> RIGHTS = List.of(
            "SELECT, UPDATE ON interlock_fence",
            "SELECT, INSERT, UPDATE, DELETE ON interlock_lock",
            "SELECT, INSERT, UPDATE, DELETE ON interlock_claim");

    /** How many names are used once. */
    private static final int OLD = 50;

    /** How many names may be in use besides. */
    private static final int FEW = 9;

    @Test
    void postgresql() {
        String url = PostgresServer.shared().newDatabase();
        String user = "least_" + url.replaceAll(".*/test_(\\d+).*", "$1");
        execute(url, "CREATE ROLE " + user + " LOGIN PASSWORD 'secret'");
        check("postgresql", url, url.replace("user=postgres", "user=" + user + "&password=secret"), user);
    }

    @Test
    void mariadb() {
        MariaDbServer server = MariaDbServer.shared();
        String url = server.url(server.createDatabase());
        String user = "least@'127.0.0.1'";
        execute(url, "CREATE USER " + user + " IDENTIFIED BY 'secret'");
        try {
            check("mariadb", url, url.replace("user=root", "user=least&password=secret"), user);
        } finally {
            execute(url, "DROP USER " + user);
        }
    }

    /**
     * Checks the rights.
     *
     * @param administrator the URL of the database for somebody who may do anything
     * @param url that for the user
     */
    private static void check(String dialect, String administrator, String url, String user) {
        String script = Schema.script(dialect, "interlock");
        // PostgreSQL takes several statements at once; a function in them has semicolons of its own.
        String[] statements = dialect.equals("mariadb") ? script.split(";\\s*\\n", -1) : new String[] {script};
        for (String statement : statements) {
            if (!statement.isBlank()) {
                execute(administrator, statement);
            }
        }
        RIGHTS.forEach(rights -> execute(administrator, "GRANT " + rights + " TO " + user));
        assertThat(missed(administrator, url)).as("missed with all rights").isEmpty();
        List<String> needless = new ArrayList<>();
        for (String rights : RIGHTS) {
            String table = rights.substring(rights.indexOf(" ON "));
            for (String right : rights.substring(0, rights.indexOf(" ON ")).split(", ", -1)) {
                execute(administrator, "REVOKE " + right + table + " FROM " + user);
                if (missed(administrator, url).isEmpty()) {
                    needless.add(right + table);
                }
                execute(administrator, "GRANT " + right + table + " TO " + user);
            }
        }
        assertThat(needless).as("rights that nothing needs").isEmpty();
    }

    private static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("The statement failed: " + sql, e);
        }
    }

    private static int names(String url) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM interlock_lock")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException("The names cannot be counted", e);
        }
    }

    /** What this user cannot do: verbs of all kinds, and the removal of old rows. */
    private static Set<String> missed(String administrator, String url) {
        Set<String> refused = new TreeSet<>();
        execute(administrator, "DELETE FROM interlock_lock");
        execute(administrator, "DELETE FROM interlock_claim");
        try (Client holder = new Client(url);
                Client waiter = new Client(url)) {
            LockStore store = holder.store();
            Claim plain = holder.claim("least");
            attempt(refused, "acquire", () -> store.acquire(plain));
            Claim waiting = waiter.claim("least").waiting(Duration.ZERO);
            attempt(refused, "wait", () -> waiter.store().acquire(waiting));
            attempt(refused, "renew", () -> store.renew(List.of(plain)));
            attempt(refused, "inspect", () -> store.inspect(plain.id()));
            attempt(refused, "list", () -> ((LockCatalog) store).list("", 10));
            attempt(refused, "release", () -> store.release(plain));
            Claim permits = claim(holder, LockKind.SEMAPHORE, new Mode.Permits(1, 2));
            attempt(refused, "permits", () -> store.acquire(permits));
            attempt(refused, "renew permits", () -> store.renew(List.of(permits)));
            attempt(refused, "force", () -> store.release(permits.byForce()));
            Claim count = claim(holder, LockKind.LATCH, new Mode.SetCount(1));
            attempt(refused, "set count", () -> store.acquire(count));
            Claim down = claim(holder, LockKind.LATCH, new Mode.CountDown());
            attempt(refused, "count down", () -> store.acquire(down));
            for (int i = 0; i < OLD; i++) {
                Claim one = holder.claim("old-" + i);
                attempt(refused, "acquire", () -> store.acquire(one));
                attempt(refused, "release", () -> store.release(one));
            }
            execute(administrator, "UPDATE interlock_lock SET fence = 1");
            if (refused.isEmpty() && !removesOldRows(administrator, holder)) {
                refused.add("remove");
            }
        }
        return refused;
    }

    /** Some old rows are removed after each verb. That it fails for want of a right fails no verb. */
    private static boolean removesOldRows(String administrator, Client client) {
        for (int attempt = 0; attempt < 20 && names(administrator) > FEW; attempt++) {
            for (int i = 0; i < 70; i++) {
                client.release(client.hold("alive"));
            }
        }
        return names(administrator) <= FEW;
    }

    private static Claim claim(Client client, LockKind kind, Mode mode) {
        Claim any = client.claim("least");
        return Claim.of(new LockId("least", kind), mode, any.owner(), any.lease(), any.party());
    }

    private static <T> void attempt(Set<String> refused, String verb, Supplier<CompletionStage<T>> request) {
        T answer;
        try {
            // A server that is busy for longer than the store waits for it refuses nothing.
            answer = Client.repeated(request);
        } catch (AssertionError e) {
            assertThat(LockStore.causeOf(e.getCause())).isInstanceOf(StoreUnavailableException.class);
            refused.add(verb);
            return;
        }
        assertThat(answer instanceof Attempt.Granted
                        || !(answer instanceof Attempt)
                        || verb.equals("wait")
                        || verb.equals("acquire"))
                .isTrue();
    }
}
