package dev.interlock.evidence;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The rows of a database. */
final class Rows {

    private Rows() {}

    /** The name of its table, for each row of the tables that this query names. */
    static List<String> of(String url, String tables) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            List<String> names = new ArrayList<>();
            try (ResultSet result = statement.executeQuery(tables)) {
                while (result.next()) {
                    names.add(result.getString(1));
                }
            }
            for (String name : names) {
                try (ResultSet result = statement.executeQuery(counting(name))) {
                    result.next();
                    for (int i = 0; i < result.getInt(1); i++) {
                        rows.add(name);
                    }
                }
            }
        }
        return rows;
    }

    /** The names come from the catalog, and are identifiers of our own tables. */
    private static String counting(String table) {
        return "SELECT COUNT(*) FROM \"" + table.replace("\"", "\"\"") + '"';
    }
}
