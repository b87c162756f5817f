package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.MariaDbServer;
import dev.interlock.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The server ends sessions that are idle, or something on the way cuts their connections: the first call after the
 * pause finds that out, and is made once more on a new connection.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdleSessionTest {

    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));

    private enum Server {
        POSTGRESQL,
        MARIADB;

        String newUrl() {
            return this == POSTGRESQL
                    ? PostgresServer.shared().newDatabase()
                    : MariaDbServer.shared().url(MariaDbServer.shared().createDatabase());
        }

        int port() {
            return this == POSTGRESQL
                    ? PostgresServer.shared().port()
                    : MariaDbServer.shared().port();
        }

        /** The same database, whose sessions end when they are idle for a second. */
        String ending(String url) {
            return url
                    + (url.contains("?") ? "&" : "?")
                    + (this == POSTGRESQL ? "options=-c%20idle_session_timeout=1s" : "sessionVariables=wait_timeout=1");
        }

        /** How many sessions others have in this database. */
        long sessions(String url) throws SQLException {
            String sql = this == POSTGRESQL
                    ? "SELECT count(*) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    : "SELECT count(*) FROM information_schema.processlist"
                            + " WHERE db = DATABASE() AND id <> CONNECTION_ID()";
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static Interlock patient(String url) {
        return Interlock.builder(url)
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void endedSession_isReplaced_byTheFirstCallAfterThePause(Server server) throws Exception {
        String url = server.newUrl();
        try (Interlock interlock = patient(server.ending(url))) {
            DistributedLock lock = interlock.lock("x");
            Lease lease = lock.acquire(LONG);
            await().until(() -> server.sessions(url) == 0);

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);

            await().until(() -> server.sessions(url) == 0);
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionThatWasCut_isReplaced_byTheFirstCallAfterThePause(Server server) throws Exception {
        String url = server.newUrl();
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port());
                Interlock interlock = patient(url.replace(":" + server.port() + "/", ":" + proxy.port() + "/"))) {
            DistributedLock lock = interlock.lock("x");
            lock.acquire().close();
            for (int round = 0; round < 10; round++) {
                long before = proxy.resets();
                proxy.reset();
                Lease lease = lock.tryAcquire().orElseThrow();
                proxy.reset();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                assertThat(proxy.resets()).isGreaterThan(before);
            }
        }
    }
}
