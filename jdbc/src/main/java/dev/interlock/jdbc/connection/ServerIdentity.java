package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** A server, as shown in messages. Its connections break when the server goes away, so there is nothing to check. */
public record ServerIdentity(String url) implements ConnectionTarget {

    /** The parameters of a URL, which may include a password. */
    private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);

    /** The drivers of MySQL and MariaDB also accept parameters in the place of a host. */
    private static final Pattern ADDRESSES = Pattern.compile("\\(.*\\)", Pattern.DOTALL);

    public static ServerIdentity of(Connection connection) throws SQLException {
        return of(String.valueOf(connection.getMetaData().getURL()));
    }

    static ServerIdentity of(String url) {
        String plain = ADDRESSES.matcher(UserInfo.removed(url)).replaceAll("(...)");
        return new ServerIdentity(PARAMETERS.matcher(plain).replaceAll(""));
    }

    @Override
    public boolean isGone() {
        return false;
    }

    @Override
    public String toString() {
        return url;
    }
}
