package dev.interlock.annotation;

import java.util.List;

/** The wait of a {@link Locked} method ended without the lock. The method has not run. */
public class LockBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // an immutable list of strings, which is serializable
    private final List<String> names;

    /** Says which locks were not available, and to whom. */
    public LockBusyException(List<String> names, String message) {
        super(message);
        this.names = List.copyOf(names);
    }

    /** The names of the locks of which at least one was not available. */
    public List<String> names() {
        return names;
    }
}
