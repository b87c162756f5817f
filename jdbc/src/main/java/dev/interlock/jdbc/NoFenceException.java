package dev.interlock.jdbc;

/**
 * What the tables have of a name leaves no larger fence: the name's trouble alone, the connection is as good as before.
 */
final class NoFenceException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    NoFenceException(String message) {
        super(message);
    }
}
