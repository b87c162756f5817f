package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.fence.FenceVerdict;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.jdbc.fixture.TestFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What may stand in the place of the largest token lets nobody in: neither in another type of column, nor by its value.
 */
class FencedColumnTest {

    private static final FencedUpdate UPDATE = FencedUpdate.of("orders", "id", "fence", "status");

    private final Path directory = TestFiles.directory();

    @AfterEach
    void delete() {
        TestFiles.delete(directory);
    }

    /** MySQL takes a text without digits for 0, and SQLite compares texts, of which 9 is more than 10. */
    @ParameterizedTest
    @EnumSource
    void aColumnOfTextOrFloats_refusesEverybody(TestDatabase database) throws SQLException {
        for (String type : List.of("varchar(40)", "double precision")) {
            try (Connection connection = orders(database, type, "'10'")) {
                for (long token : List.of(9L, 10L, Long.MAX_VALUE)) {
                    assertThatThrownBy(() -> UPDATE.execute(connection, 1, token, "late"))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("column fence of table orders, which is of type")
                            .hasMessageContaining("nothing was updated; make it bigint");
                }
                assertThat(status(connection)).isEqualTo("new");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExactNumber_isCompared(TestDatabase database) throws SQLException {
        for (String type : List.of("bigint", "integer", "decimal(30)")) {
            try (Connection connection = orders(database, type, "0")) {
                assertThat(UPDATE.execute(connection, 1, 10, "a")).isEqualTo(FenceVerdict.accept(10));
                assertThat(UPDATE.execute(connection, 1, 9, "b")).isEqualTo(FenceVerdict.refuse(10));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatIsNoToken_refusesEverybody(TestDatabase database) throws SQLException {
        assertRefused(database, "bigint", "-5", "a negative number");
        assertRefused(database, "bigint", "null", "NULL");
        assertRefused(database, "decimal(30)", "9223372036854775808", "a number that is no token");
    }

    /** A column of SQLite keeps values of any type. */
    @Test
    void aTextInAColumnOfNumbers_refusesEverybody() throws SQLException {
        assertRefused(TestDatabase.SQLITE, "bigint", "'abc'", "a text");
        assertRefused(TestDatabase.SQLITE, "bigint", "x'00'", "binary data");
        assertRefused(TestDatabase.SQLITE, "bigint", "1e300", "a number that is no token");
    }

    private void assertRefused(TestDatabase database, String type, String value, String kind) throws SQLException {
        try (Connection connection = orders(database, type, value)) {
            assertThatThrownBy(() -> UPDATE.execute(connection, 1, 150, "late"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "column fence of table orders holds " + kind + ": key=1; nothing was updated");
            assertThat(status(connection)).isEqualTo("new");
        }
    }

    private Connection orders(TestDatabase database, String type, String fence) throws SQLException {
        Connection connection = DriverManager.getConnection(database.newUrl(directory));
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("create table orders (id bigint, status varchar(20), fence " + type + ")");
            statement.executeUpdate("insert into orders (id, status, fence) values (1, 'new', " + fence + ")");
        }
        return connection;
    }

    private static String status(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select status from orders where id = 1")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
