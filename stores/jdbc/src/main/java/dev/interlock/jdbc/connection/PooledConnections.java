package dev.interlock.jdbc.connection;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Log;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Connections of a data source of the application, which needs them itself: most likely those of a pool. */
public record PooledConnections(DataSource dataSource) implements ConnectionSource {

    /** As HikariCP, DBCP 2, the pools of Tomcat and Druid, and c3p0 and UCP call it. */
    private static final List<String> SIZES =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

    /**
     * Takes a connection. Whatever the data source throws is a failure that may pass: a routing data source without a
     * tenant, a pool that is closed for a restart.
     */
    @Override
    public Connection open() throws SQLException {
        try {
            Connection connection = dataSource.getConnection();
            if (connection == null) {
                throw new SQLException("The data source returned null in place of a connection", "08001");
            }
            return connection;
        } catch (RuntimeException e) {
            throw new StoreUnavailableException(
                    "The data source gives no connection: " + e.getClass().getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean isPool() {
        return true;
    }

    /**
     * Breaks the connection before it goes back: a pool does not see that a server has become a replica, and would hand
     * out the connection again and again.
     */
    @Override
    public void discard(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            Log.of(PooledConnections.class)
                    .log(System.Logger.Level.DEBUG, "The pool keeps a connection that has failed", e);
        }
    }

    @Override
    public OptionalInt most() {
        for (String method : SIZES) {
            try {
                Object size = dataSource.getClass().getMethod(method).invoke(dataSource);
                if (size instanceof Integer most && most > 0) {
                    return OptionalInt.of(most);
                }
            } catch (ReflectiveOperationException | RuntimeException e) {
                // It is of another kind, or does not tell: then nothing is known by this method.
            }
        }
        return OptionalInt.empty();
    }

    /** The type: what a pool says of itself may have a password. */
    @Override
    public String toString() {
        return dataSource.getClass().getName();
    }
}
