package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A driver that is on the class path, and of which the driver manager does not know: as in a servlet container, where
 * it is loaded too late or elsewhere.
 */
public final class UnregisteredDriver implements Driver {

    /** Of no registered driver. */
    static final String URL = "jdbc:mysql:unregistered:";

    @Override
    public @Nullable Connection connect(String url, Properties settings) throws SQLException {
        return acceptsURL(url)
                ? DriverManager.getConnection("jdbc:h2:mem:" + url.substring(URL.length()) + ";DB_CLOSE_DELAY=-1")
                : null;
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(URL);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties settings) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("of the test");
    }
}
