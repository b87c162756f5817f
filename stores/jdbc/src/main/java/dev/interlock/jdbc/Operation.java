package dev.interlock.jdbc;

import java.sql.SQLException;

/** One request to the store, as work on its session. */
interface Operation<T> {

    /** Runs the operation; blocks. */
    T run(Session session) throws SQLException;
}
