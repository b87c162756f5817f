package dev.interlock.jdbc.dialect;

import dev.interlock.StoreUnavailableException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** Finds the dialect of a connection. */
public final class Dialects {

    private Dialects() {}

    /**
     * The dialect of a connection.
     *
     * @throws IllegalStateException if its driver is too old
     */
    public static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData connected = connection.getMetaData();
        KnownDriver.check(connected);
        String product = connected.getDatabaseProductName();
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
