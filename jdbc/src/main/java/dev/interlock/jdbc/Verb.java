package dev.interlock.jdbc;

import java.sql.SQLException;

/** One verb, as a piece of work on the store's connection. */
interface Verb<T> {

    /** Does it, blocking. */
    T run(Session session) throws SQLException;
}
