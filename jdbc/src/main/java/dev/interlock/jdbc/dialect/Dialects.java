package dev.interlock.jdbc.dialect;

import dev.interlock.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;

/** Finds the dialect of a connection. */
public final class Dialects {

    private Dialects() {}

    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "SQLite" -> new SqliteDialect();
            case "PostgreSQL" -> new PostgresDialect();
            case "MariaDB", "MySQL" -> new MysqlDialect();
            case "H2" -> new H2Dialect();
            default ->
                throw new StoreUnavailableException(
                        "Interlock has no dialect for the database '" + product
                                + "'; known are PostgreSQL, MariaDB, MySQL, H2 and SQLite",
                        null);
        };
    }
}
