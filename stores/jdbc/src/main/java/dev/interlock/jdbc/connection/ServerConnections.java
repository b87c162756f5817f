package dev.interlock.jdbc.connection;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.StoreRefusal;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Opens connections to the database of a URL; each is a new one. */
public final class ServerConnections implements ConnectionSource {

    private static final int H2_FOR_ADMINISTRATORS = 90040;

    private final ServerUri uri;
    private final Driver driver;

    private ServerConnections(ServerUri uri, Driver driver) {
        this.uri = uri;
        this.driver = driver;
    }

    /**
     * Finds the driver, without any I/O.
     *
     * @throws IllegalStateException if no driver accepts the URL
     */
    public static ServerConnections of(ServerUri uri) {
        try {
            return new ServerConnections(uri, driver(uri.url()));
        } catch (SQLException e) {
            // No cause: its message repeats the URL with the password in it.
            throw new StoreRefusal("There is no JDBC driver for " + uri + ", or it does not understand the URL: add "
                    + "org.postgresql:postgresql, org.mariadb.jdbc:mariadb-java-client, "
                    + "com.mysql:mysql-connector-j or "
                    + "com.h2database:h2 to the class path");
        }
    }

    /**
     * Finds the driver. In a servlet container the drivers of an application may not be registered, because the
     * container has looked for drivers earlier, with a class loader of its own.
     */
    private static Driver driver(String url) throws SQLException {
        try {
            return DriverManager.getDriver(url);
        } catch (SQLException e) {
            try {
                for (Driver driver : ServiceLoader.load(Driver.class, ServerConnections.class.getClassLoader())) {
                    if (driver.acceptsURL(url)) {
                        return driver;
                    }
                }
            } catch (ServiceConfigurationError broken) {
                e.addSuppressed(broken);
            }
            throw e;
        }
    }

    @Override
    public Connection open() throws SQLException {
        try {
            return connected();
        } catch (SQLException e) {
            throw unreachable(e);
        }
    }

    /**
     * Connects, if necessary without the settings that only an administrator may make: they are a wish of the store,
     * and no reason to refuse another user.
     */
    private Connection connected() throws SQLException {
        try {
            return connected(uri);
        } catch (SQLException e) {
            Optional<ServerUri> modest = uri.withoutAdministratorSettings();
            if (e.getErrorCode() != H2_FOR_ADMINISTRATORS || modest.isEmpty()) {
                throw e;
            }
            return connected(modest.get());
        }
    }

    private Connection connected(ServerUri to) throws SQLException {
        Connection connection = driver.connect(to.url(), to.settings());
        if (connection == null) {
            throw new SQLException("The driver does not understand the URL", "08001");
        }
        return connection;
    }

    @Override
    public boolean areDedicated() {
        return true;
    }

    /** Hides the message of a driver that repeats the URL or the password. */
    private StoreUnavailableException unreachable(SQLException e) {
        String message = String.valueOf(e.getMessage());
        boolean tells =
                message.contains(uri.url()) || message.contains(uri.settings().getProperty("password", uri.url()));
        return tells
                ? ServerErrors.unreachable(new SQLException("refused by the driver", e.getSQLState()), uri.toString())
                : ServerErrors.unreachable(e, uri.toString());
    }

    /** The URL without the password. */
    @Override
    public String toString() {
        return uri.toString();
    }
}
