package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A database that reports a rollback at the commit, as distributed ones do: earlier answers of the transaction do not
 * count.
 */
class UndoneRenewalTest {

    private static final String UNDONE = "40001";

    @TempDir
    private Path directory = Path.of(".");

    /** Runs at the next commit; the transaction is rolled back instead. */
    private final AtomicReference<Runnable> instead = new AtomicReference<>();

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "H2"})
    void claimReleasedBeforeTheRetry_isNotHeld(TestDatabase database) {
        String url = database.newUrl(directory);
        try (Client client = new Client(JdbcStore.over(source(url)));
                Client other = new Client(url)) {
            // A store retries for a second at most, and a machine may be busy for longer.
            await().until(() -> isUndoneOnce(client, other));
        }
    }

    private boolean isUndoneOnce(Client client, Client other) {
        Claim gone = client.hold("gone");
        Claim kept = client.hold("kept");
        AtomicInteger commits = new AtomicInteger();
        instead.set(() -> {
            commits.incrementAndGet();
            assertThat(other.release(gone)).isTrue();
        });
        try {
            Map<Claim, Renewal> renewed = client.store()
                    .renew(List.of(gone, kept))
                    .toCompletableFuture()
                    .join();

            assertThat(commits).as("undone, once").hasValue(1);
            assertThat(renewed).containsEntry(gone, Renewal.DELETED).containsEntry(kept, Renewal.HELD);
            return true;
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(StoreUnavailableException.class);
            return false;
        } finally {
            instead.set(null);
            client.release(gone);
            client.release(kept);
        }
    }

    private DataSource source(String url) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> lent(DriverManager.getConnection(url)));
    }

    private Connection lent(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        undo(connection);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void undo(Connection connection) throws SQLException {
        Runnable next = instead.getAndSet(null);
        if (next != null) {
            connection.rollback();
            next.run();
            throw new SQLException("undone on purpose", UNDONE);
        }
    }
}
