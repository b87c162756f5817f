package dev.interlock.jdbc;

import dev.interlock.jdbc.fixture.DataSources;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import javax.sql.DataSource;

/** Connections whose prepared queries return so many rows at most, and do not say so. */
final class CutAnswers {

    private CutAnswers() {}

    static DataSource source(String url, int most) {
        return DataSources.of(() -> connection(DriverManager.getConnection(url), most));
    }

    private static Connection connection(Connection connection, int most) {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = invoked(connection, method, arguments);
            return result instanceof PreparedStatement statement ? statement(statement, most) : result;
        });
    }

    private static PreparedStatement statement(PreparedStatement statement, int most) {
        return proxy(PreparedStatement.class, (method, arguments) -> {
            Object result = invoked(statement, method, arguments);
            return result instanceof ResultSet rows ? rows(rows, most) : result;
        });
    }

    private static ResultSet rows(ResultSet rows, int most) {
        int[] read = new int[1];
        return proxy(
                ResultSet.class,
                (method, arguments) -> method.getName().equals("next") && read[0]++ >= most
                        ? false
                        : invoked(rows, method, arguments));
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
