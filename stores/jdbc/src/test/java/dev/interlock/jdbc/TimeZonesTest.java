package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.spi.Claim;
import dev.interlock.testkit.server.MariaDbServer;
import dev.interlock.testkit.server.PostgresServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * The sessions of two clients have local times that are a day apart: a lease ends for both of them by the clock of the
 * server.
 */
class TimeZonesTest {

    private static final Duration LEASE = Duration.ofMillis(400);

    @Test
    void leasesEndOnTime_onPostgres() {
        String url = PostgresServer.shared().newDatabase();
        leasesEndOnTime(
                source(url, "SET TIME ZONE INTERVAL '+13:00' HOUR TO MINUTE"),
                source(url, "SET TIME ZONE INTERVAL '-12:00' HOUR TO MINUTE"));
    }

    @Test
    void leasesEndOnTime_onMariaDb() {
        String url = MariaDbServer.shared().url(MariaDbServer.shared().createDatabase());
        leasesEndOnTime(source(url, "SET time_zone = '+13:00'"), source(url, "SET time_zone = '-12:00'"));
    }

    private static void leasesEndOnTime(DataSource east, DataSource west) {
        try (Client a = new Client(JdbcStore.over(east));
                Client b = new Client(JdbcStore.over(west))) {
            endsOnTime(a, b);
            endsOnTime(b, a);
        }
    }

    private static void endsOnTime(Client holder, Client other) {
        other.release(other.hold("connected"));
        Claim lasting = holder.hold("lasting");
        long begun = System.nanoTime();
        long fence = holder.granted(holder.claim("brief", LEASE));
        Claim next = other.claim("brief");

        await().pollInterval(Duration.ofMillis(10)).until(() -> other.isGranted(next));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(LEASE);
        assertThat(other.granted(next)).isGreaterThan(fence);
        assertThat(other.isGranted(other.claim("lasting"))).isFalse();
        other.release(next);
        holder.release(lasting);
    }

    /** Connections that begin with this statement. */
    private static DataSource source(String url, String first) {
        return (DataSource) Proxy.newProxyInstance(
                TimeZonesTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> connection(url, first));
    }

    private static Connection connection(String url, String first) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute(first);
        }
        return connection;
    }
}
