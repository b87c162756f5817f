package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.ServerConnections;
import dev.interlock.jdbc.connection.ServerUri;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.spi.Claim;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An idle store closes its connection; an H2 database in memory must survive that. */
class MemoryKeptTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    @Test
    void lockInMemory_isHeldAfterTheLastConnectionIsClosed() {
        ServerUri uri = ServerUri.parse("jdbc:h2:mem:kept");
        AtomicReference<@Nullable Connection> opened = new AtomicReference<>();
        ConnectionSource source = () -> {
            Connection connection = ServerConnections.of(uri).open();
            opened.set(connection);
            return connection;
        };
        Worker worker =
                new Worker(new SessionHolder(source, uri.prefix(), new WakeSubscription(source, uri.prefix())), SHORT);
        try (Client client = new Client("jdbc:h2:mem:kept")) {
            Claim claim = client.claim("x");
            worker.submit(session -> new AcquireOperation(session, claim).run()).join();
            await().until(() -> {
                Connection connection = opened.get();
                return connection != null && connection.isClosed();
            });

            assertThat(client.inspect("x").isLocked()).isTrue();
        } finally {
            worker.close();
        }
    }

    /** Only an administrator may make the setting that keeps the database. */
    @Test
    void userWithoutTheRightToKeepTheDatabase_isServed() throws SQLException {
        String url = "jdbc:h2:mem:limited";
        try (Connection administrator = DriverManager.getConnection(url, "sa", "");
                Statement statement = administrator.createStatement();
                Client creating = new Client(url + ";USER=sa");
                Client limited = new Client(url + ";USER=app;PASSWORD=secret")) {
            Claim claim = creating.hold("x");
            statement.execute("CREATE USER app PASSWORD 'secret'");
            statement.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA public TO app");

            assertThat(limited.isGranted(limited.claim("x"))).isFalse();
            assertThat(creating.release(claim)).isTrue();
            assertThat(limited.isGranted(limited.claim("x"))).isTrue();
        }
    }
}
