package dev.interlock.redis.connection;

import java.util.EnumSet;
import java.util.Set;

/** The states of a {@link NodeConnection}, and the legal moves between them. */
enum ConnectionState {
    /** There is no connection. The next command opens one. */
    IDLE,
    /** A connection is being opened, now or after a pause. Commands wait for it. */
    CONNECTING,
    /** There is no connection, since the server did not reply on the last one. The next command opens one to verify. */
    SUSPECT,
    /** As {@link #CONNECTING}, but the connection is verified before any command is written to it. */
    PROBING,
    /** A connection is open and only the handshake has been written to it. Commands wait for the server's reply. */
    VERIFYING,
    /** A connection is open. The commands that waited for it are being written, ahead of those that come meanwhile. */
    FLUSHING,
    /** A connection is open. Commands are written to it at once. */
    OPEN,
    /** The store is closed. Commands are refused. */
    CLOSED;

    /** The states that may follow this one. */
    Set<ConnectionState> next() {
        return switch (this) {
            case IDLE -> EnumSet.of(CONNECTING, SUSPECT, CLOSED);
            case CONNECTING -> EnumSet.of(FLUSHING, IDLE, PROBING, CLOSED);
            case SUSPECT -> EnumSet.of(PROBING, CLOSED);
            case PROBING -> EnumSet.of(VERIFYING, SUSPECT, CLOSED);
            case VERIFYING -> EnumSet.of(FLUSHING, SUSPECT, PROBING, CLOSED);
            case FLUSHING -> EnumSet.of(OPEN, IDLE, SUSPECT, CONNECTING, CLOSED);
            case OPEN -> EnumSet.of(IDLE, SUSPECT, CLOSED);
            case CLOSED -> EnumSet.noneOf(ConnectionState.class);
        };
    }
}
