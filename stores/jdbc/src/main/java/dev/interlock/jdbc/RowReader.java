package dev.interlock.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads one row of a result. */
interface RowReader<T> {

    /** Reads the row at which the result stands. */
    T read(ResultSet row) throws SQLException;
}
