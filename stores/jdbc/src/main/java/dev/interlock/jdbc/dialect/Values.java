package dev.interlock.jdbc.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Queries of a {@link Dialect#examine diagnosis}, which are few, and not worth keeping prepared. */
record Values(Connection connection) {

    /** The last column of the first row; empty if there is none, or it is null. */
    String text(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                String value = row.next() ? row.getString(row.getMetaData().getColumnCount()) : null;
                return value == null ? "" : value;
            }
        }
    }

    /** The same as a number. */
    long number(String sql, Object... parameters) throws SQLException {
        String text = text(sql, parameters);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new SQLException("not a number: " + text, e);
        }
    }
}
