package dev.interlock.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.JdbcStore;
import dev.interlock.jdbc.fixture.Client;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The dialects have a text for every statement. */
class DialectTest {

    @Test
    void unknownDatabase_isNamed() {
        try (Client client = new Client(JdbcStore.over(sourceOf("Paradox")))) {
            assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("'Paradox'")
                    .hasMessageContaining("SQLite");
        }
    }

    /** Every statement has a text with the prefix, and without placeholders. */
    @ParameterizedTest
    @EnumSource(SqlStatement.class)
    void everyStatement_hasAText(SqlStatement step) {
        for (Dialect dialect :
                List.of(new SqliteDialect(), new PostgresDialect(), new MysqlDialect(), new H2Dialect())) {
            if (step == SqlStatement.NOTIFY
                    || step == SqlStatement.COMMIT
                    || (step == SqlStatement.ACQUIRE && !dialect.canAcquireAtOnce())
                    || ((step == SqlStatement.ACQUIRE_EXISTING || step == SqlStatement.ACQUIRE_OR_LOAD)
                            && !dialect.canAcquireExisting())) {
                continue;
            }
            assertText(NamedSql.parse(dialect.sql(step), "my_app"));
        }
    }

    private static void assertText(NamedSql sql) {
        assertThat(sql.text()).contains("my_app_").doesNotContain("{", "}", ":");
        assertThat(sql.parameters())
                .hasSize((int) sql.text().chars().filter(c -> c == '?').count());
    }

    @Test
    void namedParameters_becomePositions() {
        NamedSql sql = NamedSql.parse("SELECT :a, b FROM {p}_t WHERE x = :long_name AND y=:a", "q");

        assertThat(sql)
                .isEqualTo(new NamedSql("SELECT ?, b FROM q_t WHERE x = ? AND y=?", List.of("a", "long_name", "a")));
    }

    private static DataSource sourceOf(String product) {
        DatabaseMetaData data = proxy(DatabaseMetaData.class, product);
        Connection connection = proxy(Connection.class, data);
        return proxy(DataSource.class, connection);
    }

    /** An object all of whose methods return the same. */
    private static <T> T proxy(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getReturnType().isInstance(answer) ? answer : null));
    }
}
