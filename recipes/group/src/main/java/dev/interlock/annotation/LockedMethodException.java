package dev.interlock.annotation;

/** A {@link Locked} that cannot work: the application does not start. The message says which rule it breaks. */
public class LockedMethodException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says which rule is broken, where, and what to do. */
    public LockedMethodException(String message) {
        super(message);
    }
}
