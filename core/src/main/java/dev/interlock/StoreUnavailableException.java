package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * The store did not answer in time, or refused to work. What was asked for has not been given: a grant that comes late
 * is taken back.
 */
@SuppressWarnings("exports")
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says what was tried and for how long, and what the store's client said, if anything. */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
