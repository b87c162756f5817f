package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** A server, as people find it. Its connections break when it goes away, so that there is nothing to look for. */
public record ServerIdentity(String url) implements ConnectionTarget {

    /** Parameters, among which may be a password. */
    private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);

    /** MySQL's and MariaDB's drivers take parameters in the place of a host, too. */
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
