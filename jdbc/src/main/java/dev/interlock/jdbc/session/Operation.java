package dev.interlock.jdbc.session;

import java.sql.SQLException;

/** One verb, as a piece of work on the store's connection. */
public interface Operation<T> {

    /** Does it, blocking. */
    T run(Session session) throws SQLException;
}
