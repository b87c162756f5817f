package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** A server, as people find it. Its connections break when it goes away, so that there is nothing to look for. */
record ServerIdentity(String url) implements Dialect.Identity {

    /** Parameters, among which may be a password; and a user with a password before the host. */
    private static final Pattern SECRETS = Pattern.compile("[?;].*|(?<=//)[^/]*@");

    static ServerIdentity of(Connection connection) throws SQLException {
        return of(String.valueOf(connection.getMetaData().getURL()));
    }

    static ServerIdentity of(String url) {
        return new ServerIdentity(SECRETS.matcher(url).replaceAll(""));
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
