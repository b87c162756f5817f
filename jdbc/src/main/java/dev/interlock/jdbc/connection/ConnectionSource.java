package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections. */
public interface ConnectionSource {

    /** Opens a connection that the store uses alone until it closes it. May block. */
    Connection open() throws SQLException;

    /**
     * Whether the connections are opened for the store alone. Those of somebody else's pool may belong to a thread, or
     * to its transaction.
     */
    default boolean areDedicated() {
        return false;
    }
}
