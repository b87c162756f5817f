package dev.interlock.jdbc;

import dev.interlock.StoreUnavailableException;

/** What is stored of one name is more than a client reads. This concerns the name alone; the connection is usable. */
final class UnreadableNameException extends StoreUnavailableException {

    private static final long serialVersionUID = 1;

    UnreadableNameException(String message) {
        super(message, null);
    }
}
