package dev.interlock;

import dev.interlock.spi.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store did not answer in time, or refused to work. The caller has not been granted what it requested:
 * a grant that arrives late is taken back.
 */
@SuppressWarnings("exports")
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, why, and what to do; control characters in it are escaped
     * @param cause the exception of the store's client, if any
     */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(Printable.of(message), cause);
    }
}
