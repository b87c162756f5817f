package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.jdbc.wake.PostgresNotifications;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.MariaDbServer;
import dev.interlock.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dead connections that do not break: each costs the time of one answer, whatever the store does on it first. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentNetworkTest {

    /** One answer, and the time of the test itself. */
    private static final Duration ONE_ANSWER = Duration.ofMillis(WaitLimits.NETWORK_MS + 2_500);

    private enum Server {
        POSTGRESQL,
        MARIADB;

        FaultProxy proxy() {
            return FaultProxy.to(
                    "127.0.0.1",
                    this == POSTGRESQL
                            ? PostgresServer.shared().port()
                            : MariaDbServer.shared().port());
        }

        String urlBehind(FaultProxy proxy) {
            return this == POSTGRESQL
                    ? PostgresServer.shared()
                            .newDatabase()
                            .replace(":" + PostgresServer.shared().port() + "/", ":" + proxy.port() + "/")
                    : MariaDbServer.shared()
                            .urlAt(proxy.port(), MariaDbServer.shared().createDatabase());
        }
    }

    /** A firewall has forgotten the idle connection of a pool that does not validate its connections. */
    @ParameterizedTest
    @EnumSource
    void P10_deadConnectionOfThePool_isReplaced(Server server) throws SQLException {
        assertThat(failureOnADeadConnection(server)).isPositive();
    }

    @Tag(Effort.TIMING)
    @ParameterizedTest
    @EnumSource
    void P10_deadConnectionOfThePool_costsOneAnswer(Server server) throws SQLException {
        assertThat(failureOnADeadConnection(server)).isLessThan(ONE_ANSWER);
    }

    private static Duration failureOnADeadConnection(Server server) throws SQLException {
        Duration took;
        try (FaultProxy proxy = server.proxy()) {
            TestPool pool = new TestPool(server.urlBehind(proxy), 1, Duration.ofMinutes(5)).withLimitOfTheStore();
            pool.take().close();
            proxy.forgetConnections();
            long before = lost(proxy);
            try (Client client = new Client(JdbcStore.over(pool.source()))) {
                long begun = System.nanoTime();

                assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                        .isInstanceOf(StoreUnavailableException.class);

                took = Duration.ofNanos(System.nanoTime() - begun);
                assertThat(lost(proxy)).isGreaterThan(before);
                assertThat(client.isGranted(client.claim("x"))).isTrue();
            }
            await().until(() -> pool.out() == 0);
            pool.close();
        }
        return took;
    }

    /** The server accepts the connection and then is silent: the driver waits for the answer to its greeting. */
    @ParameterizedTest
    @EnumSource
    void P10_serverSilentBeforeTheLogin_isGivenUp_thenUsed(Server server) {
        assertThat(failureOnASilentServer(server)).isPositive();
    }

    @Tag(Effort.TIMING)
    @ParameterizedTest
    @EnumSource
    void P10_serverThatIsSilentBeforeTheLogin_costsOneAnswer(Server server) {
        assertThat(failureOnASilentServer(server)).isLessThan(ONE_ANSWER);
    }

    private static Duration failureOnASilentServer(Server server) {
        try (FaultProxy proxy = server.proxy()) {
            String url = server.urlBehind(proxy);
            proxy.blackHole();
            try (Client client = new Client(url)) {
                long begun = System.nanoTime();

                assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                        .isInstanceOf(StoreUnavailableException.class);

                Duration took = Duration.ofNanos(System.nanoTime() - begun);
                await().until(() -> lost(proxy) > 0);
                proxy.heal();
                assertThat(client.isGranted(client.claim("x"))).isTrue();
                return took;
            }
        }
    }

    /** Otherwise the listener would keep a connection of the pool, and no other listener would start. */
    @Test
    void deadConnectionForWakes_isGivenUp() throws SQLException {
        assertThat(failureToListen()).isPositive();
    }

    @Tag(Effort.TIMING)
    @Test
    void deadConnectionForWakes_costsOneAnswer() throws SQLException {
        assertThat(failureToListen()).isLessThan(ONE_ANSWER);
    }

    private static Duration failureToListen() throws SQLException {
        Duration took;
        try (FaultProxy proxy = Server.POSTGRESQL.proxy()) {
            TestPool pool = new TestPool(Server.POSTGRESQL.urlBehind(proxy)).withLimitOfTheStore();
            try (Connection connection = pool.take()) {
                proxy.forgetConnections();
                long begun = System.nanoTime();

                assertThatThrownBy(() -> new PostgresNotifications(connection).listen("channel"))
                        .isInstanceOf(SQLException.class);

                took = Duration.ofNanos(System.nanoTime() - begun);
                await().until(() -> lost(proxy) > 0);
            }
            pool.close();
        }
        return took;
    }

    /** The bytes that the fault has dropped or holds back. */
    private static long lost(FaultProxy proxy) {
        long lost = 0;
        for (Direction direction : Direction.values()) {
            lost += proxy.heldBytes(direction) + proxy.droppedBytes(direction);
        }
        return lost;
    }
}
