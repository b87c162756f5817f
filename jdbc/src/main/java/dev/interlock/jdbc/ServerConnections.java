package dev.interlock.jdbc;

import dev.interlock.StoreUnavailableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Connections to the database of a URL, each a new one. */
final class ServerConnections implements ConnectionSource {

    private final ServerUri uri;

    private ServerConnections(ServerUri uri) {
        this.uri = uri;
    }

    /**
     * Without any I/O.
     *
     * @throws IllegalStateException if there is no driver for it
     */
    static ServerConnections of(ServerUri uri) {
        try {
            DriverManager.getDriver(uri.url());
        } catch (SQLException e) {
            // Not the cause: it repeats the URL with what is secret in it.
            throw new IllegalStateException(
                    "There is no JDBC driver for " + uri + ", or it does not understand the URL: add "
                            + "org.postgresql:postgresql, org.mariadb.jdbc:mariadb-java-client, com.mysql:mysql-connector-j or "
                            + "com.h2database:h2 to the class path");
        }
        return new ServerConnections(uri);
    }

    @Override
    public Connection open() throws SQLException {
        try {
            return DriverManager.getConnection(uri.url(), uri.settings());
        } catch (SQLException e) {
            throw unreachable(e);
        }
    }

    @Override
    public boolean areOwn() {
        return true;
    }

    /** A message of a driver may repeat the URL. */
    private StoreUnavailableException unreachable(SQLException e) {
        String message = String.valueOf(e.getMessage());
        boolean tells =
                message.contains(uri.url()) || message.contains(uri.settings().getProperty("password", uri.url()));
        return tells
                ? ServerErrors.unreachable(new SQLException("refused by the driver", e.getSQLState()), uri.toString())
                : ServerErrors.unreachable(e, uri.toString());
    }
}
