package dev.interlock.spring.boot;

import org.jspecify.annotations.Nullable;

/** The application's configuration has no store for Interlock, too many, or a wrong value. */
public class InterlockConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /** Says what is wrong, and what to do. */
    public InterlockConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /** What to do. */
    public String action() {
        return action;
    }
}
