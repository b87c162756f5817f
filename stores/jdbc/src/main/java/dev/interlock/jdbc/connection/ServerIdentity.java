package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** A server, as shown in messages. Its connections break when the server goes away, so there is nothing to check. */
public record ServerIdentity(String url) implements ConnectionTarget {

    /** The parameters of a URL, which may include a password. */
    private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);

    public static ServerIdentity of(Connection connection) throws SQLException {
        return of(String.valueOf(connection.getMetaData().getURL()));
    }

    static ServerIdentity of(String url) {
        String plain = withoutAddresses(UserInfo.removed(url));
        return new ServerIdentity(PARAMETERS.matcher(plain).replaceAll(""));
    }

    /** The drivers of MySQL and MariaDB also accept parameters in the place of a host. */
    private static String withoutAddresses(String url) {
        int begin = url.indexOf('(');
        int end = url.lastIndexOf(')');
        return begin < 0 || end < begin ? url : url.substring(0, begin) + "(...)" + url.substring(end + 1);
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
