package dev.interlock.cli;

import dev.interlock.Interlock;
import java.time.Duration;

/** Opens clients of the library with the settings that suit a command. */
public final class Client {

    /**
     * Longer than an attempt of the library lasts by default: a first connection of a fresh JVM on a busy machine is
     * slow.
     */
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(5);

    private Client() {}

    /**
     * A client of the store, without any I/O.
     *
     * @param application what others are told about who holds or waits
     */
    public static Interlock open(StoreUri uri, String application) {
        try {
            return Interlock.builder(uri.value())
                    .application(application)
                    .attemptTimeout(ATTEMPT_TIMEOUT)
                    .build();
        } catch (IllegalArgumentException e) {
            throw new Complaint(ExitCode.USAGE, "the store URI is not valid: " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new Complaint(ExitCode.USAGE, "the store cannot be used here: " + e.getMessage(), e);
        }
    }
}
