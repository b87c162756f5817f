package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/**
 * A connection pool as applications have them: what is closed goes back, and who comes when all are out waits for a
 * time.
 */
final class TestPool {

    private final String url;
    private final Semaphore permits;
    private final Duration patience;
    private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger out = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger given = new AtomicInteger();

    TestPool(String url, int size, Duration patience) {
        this.url = url;
        this.permits = new Semaphore(size, true);
        this.patience = patience;
    }

    TestPool(String url) {
        this(url, 1_000, Duration.ofSeconds(5));
    }

    /**
     * As many connections as two tests need, one beside the other, each of which has done what a lock store does:
     * before the first test that has little time.
     */
    TestPool filled() {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Client client = new Client(JdbcStore.over(source()));
            client.store().onWake(wake -> {});
            clients.add(client);
        }
        Claim held = clients.get(0).hold("warm");
        for (Client client : clients) {
            client.release(client.await("warm", Duration.ZERO));
            client.release(client.hold("warm-too"));
        }
        clients.get(0).release(held);
        clients.forEach(Client::close);
        Awaitility.await().until(() -> out() == 0);
        return this;
    }

    DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                TestPool.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        given.incrementAndGet();
                        return take();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** How many are out now. */
    int out() {
        return out.get();
    }

    /** How many have been out at the same time. */
    int most() {
        return most.get();
    }

    /** How many times a source has been asked for one. */
    int given() {
        return given.get();
    }

    void close() {
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            Session.closeQuietly(connection);
        }
    }

    Connection take() throws SQLException {
        try {
            if (!permits.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTransientConnectionException("No connection of the pool has come free", "08001");
            }
        } catch (InterruptedException e) {
            throw new SQLException("Interrupted while waiting for a connection", e);
        }
        try {
            Connection connection = idle.poll();
            Connection lent = lent(connection == null ? DriverManager.getConnection(url) : connection);
            most.accumulateAndGet(out.incrementAndGet(), Math::max);
            return lent;
        } catch (SQLException e) {
            permits.release();
            throw e;
        }
    }

    private Connection lent(Connection connection) {
        boolean[] closed = new boolean[1];
        return (Connection) Proxy.newProxyInstance(
                TestPool.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        if (!closed[0]) {
                            closed[0] = true;
                            giveBack(connection);
                        }
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void giveBack(Connection connection) {
        try {
            if (connection.isValid(2)) {
                idle.add(connection);
            }
        } catch (SQLException e) {
            Session.closeQuietly(connection);
        } finally {
            out.decrementAndGet();
            permits.release();
        }
    }
}
