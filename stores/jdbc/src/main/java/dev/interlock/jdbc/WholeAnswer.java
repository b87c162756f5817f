package dev.interlock.jdbc;

import java.sql.SQLException;

/**
 * The proof that an answer has all of its rows: it has at least one, and each has the number of all. A setting of the
 * session, of a driver or of a proxy may limit the rows of a query, and nothing may be decided by what is left.
 */
final class WholeAnswer {

    private long rows;
    private long all;

    /** Counts a row. */
    void add(long number) {
        rows++;
        all = number;
    }

    /** How many rows there are, whether they were read or not. */
    long all() {
        return all;
    }

    /** @throws SQLException if there were others */
    void check() throws SQLException {
        if (rows == 0 || rows != all) {
            throw new SQLException("An answer of the database was cut short, and nothing can be decided by it: rows="
                    + rows + ", all=" + (rows == 0 ? "unknown" : all)
                    + "; remove what limits the rows of this session, driver or proxy");
        }
    }
}
