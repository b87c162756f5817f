package dev.interlock.jdbc.session;

/** The tables contain a fence that leaves no larger one. This concerns one name; the connection is usable. */
public final class FenceExhaustedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    public FenceExhaustedException(String message) {
        super(message);
    }
}
