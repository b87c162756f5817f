package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.QueuedAnswer;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An exhausted pool hands out a connection when the caller has given up: nothing is acquired then, because nobody would
 * release it.
 */
class LateConnectionTest {

    @TempDir
    private Path directory = Path.of(".");

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch comesFree = new CountDownLatch(1);
    private final AtomicReference<@Nullable Connection> lent = new AtomicReference<>();

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "H2"})
    void cancelledAcquire_isNotSent(TestDatabase database) throws Exception {
        String url = database.newUrl(directory);
        try (Client client = new Client(JdbcStore.over(source(url)))) {
            CompletableFuture<Attempt> answer =
                    client.store().acquire(client.claim("x")).toCompletableFuture();
            asked.await();
            assertThat(answer.cancel(false)).isTrue();
            comesFree.countDown();

            assertThat(client.inspect("x").isLocked()).isFalse();
            client.hold("x");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "H2"})
    void closedStore_acquiresNothing(TestDatabase database) throws Exception {
        String url = database.newUrl(directory);
        Client client = new Client(JdbcStore.over(source(url)));
        CompletableFuture<Attempt> answer =
                client.store().acquire(client.claim("x")).toCompletableFuture();
        asked.await();
        client.close();
        comesFree.countDown();

        assertThat(Client.failure(answer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        await().until(() -> {
            Connection connection = lent.get();
            return connection != null && connection.isClosed();
        });
        try (Client other = new Client(url)) {
            assertThat(other.inspect("x").isLocked()).isFalse();
        }
    }

    /** The control of the test in {@link WorkerTest}: a request that found no connection was never sent. */
    @Test
    void P25_requestWithoutAConnection_wasNeverSent() {
        DataSource down = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    throw new SQLTransientConnectionException("Connection refused", "08001");
                });
        try (Client client = new Client(JdbcStore.over(down))) {
            QueuedAnswer<Attempt> answer =
                    (QueuedAnswer<Attempt>) client.store().acquire(client.claim("x"));

            assertThat(Client.failure(answer)).hasStackTraceContaining("Connection refused");
            assertThat(answer.withdraw()).isTrue();
        }
    }

    private DataSource source(String url) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    asked.countDown();
                    assertThat(comesFree.await(5, TimeUnit.MINUTES)).isTrue();
                    Connection connection = DriverManager.getConnection(url);
                    lent.set(connection);
                    return connection;
                });
    }
}
