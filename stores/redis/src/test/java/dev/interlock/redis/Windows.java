package dev.interlock.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * How long nobody got a lock after a fault: written to {@code target/windows.txt}, from where the guide has its
 * numbers.
 */
final class Windows {

    private Windows() {}

    static void since(long faultNanos, String what) {
        Duration window = Duration.ofNanos(System.nanoTime() - faultNanos);
        try {
            Files.writeString(
                    Path.of(System.getProperty("interlock.target", "target"), "windows.txt"),
                    what + ": " + window.toMillis() + " ms\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
