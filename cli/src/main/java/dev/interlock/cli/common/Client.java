package dev.interlock.cli.common;

import dev.interlock.Interlock;
import java.time.Duration;

/** Opens clients of the library with the settings that suit a command. */
public final class Client {

    /** Longer than the library's default, because the first connection of a new JVM on a busy machine is slow. */
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(5);

    private Client() {}

    /**
     * A client of the store, without any I/O.
     *
     * @param application the name of the holder or waiter for other clients
     */
    public static Interlock open(StoreUri uri, String application) {
        try {
            return Interlock.builder(uri.value())
                    .application(application)
                    .attemptTimeout(ATTEMPT_TIMEOUT)
                    .build();
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, "the store URI is not valid: " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new CommandException(ExitCode.USAGE, "the store cannot be used here: " + e.getMessage(), e);
        }
    }
}
