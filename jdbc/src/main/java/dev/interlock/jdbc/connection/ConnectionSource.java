package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from. */
public interface ConnectionSource {

    /** A new connection, for the store alone until it closes it. May block. */
    Connection open() throws SQLException;

    /**
     * Whether they are made for the store alone: those of somebody else's pool may belong to a thread, or to its
     * transaction.
     */
    default boolean areOwn() {
        return false;
    }
}
