package dev.interlock.annotation.spi;

/** The name of a lock, with what depends on the call left open. Thread-safe. */
@FunctionalInterface
public interface NameTemplate {

    /**
     * The name for a call.
     *
     * @throws IllegalArgumentException if there is none, or it would not be the same each time; the message names the
     *     method
     */
    String name(Call call);
}
