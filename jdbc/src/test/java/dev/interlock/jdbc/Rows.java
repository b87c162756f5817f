package dev.interlock.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A look into the tables from outside. */
final class Rows {

    private final String url;

    Rows(Path file) {
        this.url = "jdbc:sqlite:" + file;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    long count(String table) {
        return number("SELECT count(*) FROM interlock_" + table);
    }

    long number(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
