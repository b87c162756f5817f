package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.fixture.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory that a store keeps between two operations. */
class FootprintTest {

    @TempDir
    private static Path directory;

    private final Map<String, PreparedStatement> statements = new ConcurrentHashMap<>();

    /** P22: a driver keeps the rows of a closed result as long as its statement, and a sweep reads a thousand names. */
    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB"})
    void P22_statements_keepNoRows(TestDatabase database) {
        String url = database.newUrl(directory);
        ConnectionSource source = () -> noting(DriverManager.getConnection(url));
        Worker worker = new Worker(
                new SessionHolder(
                        source, JdbcStore.DEFAULT_PREFIX, new WakeSubscription(source, JdbcStore.DEFAULT_PREFIX)),
                Worker.IDLE);
        worker.submit(session -> session.update(SqlStatement.RAISE_FENCE, new Parameters().with("fence", 0)))
                .join();

        await("the first sweep")
                .until(() -> statements.keySet().stream()
                                .filter(sql -> sql.contains("ORDER BY"))
                                .count()
                        >= 2);
        worker.submit(session -> {
                    for (Map.Entry<String, PreparedStatement> statement : statements.entrySet()) {
                        assertThat(statement.getValue().getResultSet())
                                .as(statement.getKey())
                                .isNull();
                    }
                    return true;
                })
                .join();
        worker.close();
    }

    /** Records the statements that it prepares. */
    private Connection noting(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                FootprintTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (result instanceof PreparedStatement statement) {
                            statements.put((String) arguments[0], statement);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
