package dev.interlock.jdbc.connection;

import dev.interlock.spi.StoreRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.SQLiteJDBCLoader;

/** The only class that uses classes of the SQLite driver: users of another database need not have it. */
final class SqliteDriver {

    private SqliteDriver() {}

    /** Checks that the driver is on the class path, without loading it. */
    static void require() {
        try {
            Class.forName("org.sqlite.JDBC", false, SqliteDriver.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new StoreRefusal(
                    "An SQLite store needs the driver: add org.xerial:sqlite-jdbc 3.42.0.0 or later to the class path",
                    e);
        }
    }

    static Connection connect(String url) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("busy_timeout", Long.toString(WaitLimits.LOCK_WAIT.toMillis()));
        // Read, write, path as a URI; but not create: a file that has just been deleted must not reappear with an open
        // mode.
        settings.setProperty("open_mode", Integer.toString(0x02 | 0x40));
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception e) {
            throw new StoreRefusal(
                    "The driver of SQLite cannot load its native library, which it unpacks first: let the system "
                            + "property org.sqlite.tmpdir name a directory to write to and to execute from (/tmp may "
                            + "be mounted noexec): java.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                    e);
        }
        return org.sqlite.JDBC.createConnection(url, settings);
    }
}
