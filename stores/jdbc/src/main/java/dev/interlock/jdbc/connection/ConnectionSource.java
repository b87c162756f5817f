package dev.interlock.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;

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

    /** Whether others need these connections, too, so that they go back soon. */
    default boolean isPool() {
        return false;
    }

    /** How many connections there are at most; empty if that is not known. */
    default OptionalInt most() {
        return OptionalInt.empty();
    }

    /** Keeps a connection that has failed from being used again by others; it is closed afterwards. */
    default void discard(Connection connection) {}
}
