package dev.interlock.jdbc.session;

import java.sql.SQLException;

/** One request to the store, as work on its session. */
public interface Operation<T> {

    /** Runs the operation; blocks. */
    T run(Session session) throws SQLException;
}
