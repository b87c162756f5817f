package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** The only place that knows the driver by its classes: users of another database need not have it. */
final class SqliteDriver {

    private SqliteDriver() {}

    /** Checks that the driver is there, without loading it. */
    static void require() {
        try {
            Class.forName("org.sqlite.JDBC", false, SqliteDriver.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "An SQLite store needs the driver: add org.xerial:sqlite-jdbc 3.42.0.0 or later to the class path",
                    e);
        }
    }

    static Connection connect(String url) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("busy_timeout", Long.toString(WaitLimits.LOCK_WAIT.toMillis()));
        // Read, write, path as a URI; not create: a file that is gone again must not come back with an open mode.
        settings.setProperty("open_mode", Integer.toString(0x02 | 0x40));
        return org.sqlite.JDBC.createConnection(url, settings);
    }
}
