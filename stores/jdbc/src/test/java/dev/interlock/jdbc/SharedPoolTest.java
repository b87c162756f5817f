package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.DataSources;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The application needs its pool while it holds a lock, and the pool hands out what it takes for good. */
class SharedPoolTest extends FileTest {

    @ParameterizedTest
    @EnumSource
    void bodyOfALock_getsTheOnlyConnection(TestDatabase database) throws Exception {
        try (HikariDataSource pool = pool(database.newUrl(directory), 1);
                Interlock interlock = Interlock.builder(JdbcStore.over(pool)).build()) {
            for (int i = 0; i < 2; i++) {
                Lease held = interlock.lock("x").acquire();
                try (Connection body = pool.getConnection()) {
                    assertThat(body.isValid(2)).isTrue();
                }
                assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    /** One more than the body uses is enough, whatever else the client waits for. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void lockIsReleased_whileTheBodyHasAllConnectionsButOne(int size) throws Exception {
        String url = TestDatabase.POSTGRESQL.newUrl(directory);
        try (HikariDataSource pool = pool(url, size);
                Client other = new Client(url);
                Interlock interlock = Interlock.builder(JdbcStore.over(pool)).build()) {
            Claim busy = other.hold("y");
            Lease held = interlock.lock("x").acquire();
            Thread waiter = new Thread(() -> interlock.lock("y").lock());
            waiter.start();
            await().until(() -> !other.inspect("y").waiters().isEmpty());

            Connection[] body = new Connection[size - 1];
            for (int i = 0; i < body.length; i++) {
                body[i] = pool.getConnection();
            }
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            other.release(busy);
            waiter.join(Patience.limit().toMillis());

            assertThat(waiter.isAlive()).isFalse();
            for (Connection connection : body) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void idleStore_hasNoConnection(TestDatabase database) {
        try (HikariDataSource pool = pool(database.newUrl(directory), 3);
                Interlock interlock = Interlock.builder(JdbcStore.over(pool)).build()) {
            DistributedLock lock = interlock.lock("x");
            lock.lock();
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            lock.unlock();
        }
    }

    /** After a failover the pool has connections to what is a replica now, and takes them for good. */
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB"})
    void connectionThatHasBecomeReadOnly_isNotHandedOutAgain(TestDatabase database) throws Exception {
        String url = database.newUrl(directory);
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger readOnlyUpTo = new AtomicInteger();
        HikariConfig config = new HikariConfig();
        config.setDataSource(DataSources.of(
                () -> demotable(DriverManager.getConnection(url), opened.incrementAndGet(), readOnlyUpTo)));
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(2);
        try (HikariDataSource pool = new HikariDataSource(config);
                Client client = new Client(JdbcStore.over(pool))) {
            client.hold("x");
            await().until(() -> opened.get() >= 2);
            readOnlyUpTo.set(opened.get());

            await().until(() -> {
                Claim claim = client.claim(new LockId("y", LockKind.SEMAPHORE)).inMode(new Mode.Permits(1, 1000));
                return client.store()
                        .acquire(claim)
                        .handle((granted, failure) -> failure == null)
                        .toCompletableFuture()
                        .get();
            });
            assertThat(opened).hasValueGreaterThan(readOnlyUpTo.get());
        }
    }

    private static Connection demotable(Connection connection, int number, AtomicInteger readOnlyUpTo) {
        return proxy(
                Connection.class,
                connection,
                (method, result) -> result instanceof Statement statement
                        ? proxy(method.getReturnType().asSubclass(Statement.class), statement, (execution, answer) -> {
                            if (execution.getName().startsWith("execute") && number <= readOnlyUpTo.get()) {
                                throw new SQLException("cannot execute UPDATE in a read-only transaction", "25006");
                            }
                            return answer;
                        })
                        : result);
    }

    private static <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return after.of(method, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private interface After {
        Object of(java.lang.reflect.Method method, Object result) throws Throwable;
    }

    /** A routing data source that finds no tenant on the thread of the store, a pool that is closed. */
    @Test
    void whatADataSourceThrows_isAFailureThatMayPass() throws InterruptedException {
        String url = TestDatabase.H2.newUrl(directory);
        AtomicInteger asked = new AtomicInteger();
        DataSource source = DataSources.of(() -> {
            if (asked.incrementAndGet() < 3) {
                throw new IllegalStateException("Cannot determine target DataSource for lookup key [null]");
            }
            return DriverManager.getConnection(url);
        });
        try (Client client = new Client(JdbcStore.over(source))) {
            assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("Cannot determine target DataSource")
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
        asked.set(0);
        try (Interlock interlock = Interlock.builder(JdbcStore.over(source)).build()) {
            Lease lease = interlock.lock("x").acquire();
            assertThat(asked).hasValueGreaterThanOrEqualTo(3);
            lease.close();
        }
    }

    @Test
    void poolThatIsTooSmall_isSaid() {
        List<String> said = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                said.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(JdbcStore.class.getName());
        logger.addHandler(handler);
        String url = TestDatabase.H2.newUrl(directory);
        try (HikariDataSource two = pool(url, 2);
                HikariDataSource one = pool(url, 1)) {
            JdbcStore.over(two).close();
            assertThat(said).isEmpty();
            JdbcStore.over(one).close();
            assertThat(said).singleElement().asString().contains("connections=1");
        } finally {
            logger.removeHandler(handler);
        }
    }

    private static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }
}
