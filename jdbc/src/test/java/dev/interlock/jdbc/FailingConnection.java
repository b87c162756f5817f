package dev.interlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool of one connection, which it does not reset, and whose driver throws an Error when the test says so. It hands
 * the connection out again as it got it back.
 */
final class FailingConnection implements AutoCloseable {

    private final Connection connection;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger out = new AtomicInteger();
    private volatile @Nullable String failing;

    FailingConnection(String url) throws SQLException {
        this.connection = DriverManager.getConnection(url);
    }

    /**
     * The next prepared statement with these words, or the next call of this method of the connection, does its work
     * and then throws.
     */
    void failOnce(String words) {
        failing = words;
    }

    /** The connection itself, for a look at how it is. */
    Connection connection() {
        return connection;
    }

    /** How often it has thrown. */
    int failures() {
        return failures.get();
    }

    /** How often the connection is out: once, at most. */
    int out() {
        return out.get();
    }

    DataSource source() {
        return proxy(DataSource.class, method -> {
            if (!method.equals("getConnection")) {
                throw new UnsupportedOperationException(method);
            }
            out.incrementAndGet();
            return lent();
        });
    }

    private Connection lent() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        out.decrementAndGet();
                        return null;
                    }
                    Object result = invoked(() -> method.invoke(connection, arguments));
                    failIf(method.getName());
                    return method.getName().equals("prepareStatement")
                            ? failing((PreparedStatement) result, String.valueOf(arguments[0]))
                            : result;
                });
    }

    private PreparedStatement failing(PreparedStatement statement, String sql) {
        return (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (self, method, arguments) -> {
                    Object result = invoked(() -> method.invoke(statement, arguments));
                    if (method.getName().startsWith("execute")) {
                        failIf(sql);
                    }
                    return result;
                });
    }

    private void failIf(String what) {
        String words = failing;
        if (words != null && what.contains(words)) {
            failing = null;
            failures.incrementAndGet();
            throw new AbstractMethodError("of the test");
        }
    }

    private static Object invoked(Invocation invocation) throws Throwable {
        try {
            return invocation.run();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method.getName())));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private interface Invocation {
        Object run() throws Throwable;
    }

    private interface Answer {
        Object to(String method) throws Throwable;
    }
}
