package dev.interlock.engine;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers of a store that say no for good: to ask again would bring the same one, so whoever waits is told at once. */
final class Refusals {

    private Refusals() {}

    /** Exceptions for callers, each of its own; null if this failure may pass. */
    static @Nullable Supplier<RuntimeException> of(@Nullable Throwable failure) {
        if (failure instanceof UnsupportedOperationException) {
            return () -> new UnsupportedOperationException(failure.getMessage(), failure);
        }
        if (failure instanceof IllegalStateException) {
            return () -> new IllegalStateException(failure.getMessage(), failure);
        }
        return null;
    }
}
