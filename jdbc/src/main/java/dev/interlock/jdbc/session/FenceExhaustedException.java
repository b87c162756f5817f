package dev.interlock.jdbc.session;

/**
 * What the tables have of a name leaves no larger fence: the name's trouble alone, the connection is as good as before.
 */
public final class FenceExhaustedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public FenceExhaustedException(String message) {
        super(message);
    }
}
