package dev.interlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A data source whose prepared statements are refused when the test says so, and do nothing then. */
final class RefusingConnections {

    private final String url;
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refused = new AtomicInteger();

    RefusingConnections(String url) {
        this.url = url;
    }

    /** The next statement that begins so is refused; after that, the next that begins as the second says; and so on. */
    void refuseOnce(String... beginnings) {
        refusals.addAll(List.of(beginnings));
    }

    int refused() {
        return refused.get();
    }

    DataSource source() {
        return proxy(DataSource.class, (method, arguments) -> connection());
    }

    private Connection connection() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        return proxy(Connection.class, (method, arguments) -> {
            Object result = invoked(connection, method, arguments);
            return method.getName().equals("prepareStatement")
                    ? statement((PreparedStatement) result, String.valueOf(arguments[0]))
                    : result;
        });
    }

    private PreparedStatement statement(PreparedStatement statement, String sql) {
        return proxy(PreparedStatement.class, (method, arguments) -> {
            String refusal = refusals.peek();
            if (method.getName().startsWith("execute") && refusal != null && sql.startsWith(refusal)) {
                refusals.remove();
                refused.incrementAndGet();
                throw new SQLException("Refused by the test: " + refusal);
            }
            return invoked(statement, method, arguments);
        });
    }

    private static Object invoked(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method, arguments)));
    }

    private interface Answer {
        Object to(Method method, Object[] arguments) throws Throwable;
    }
}
