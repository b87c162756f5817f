package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of a server that is no JVM, which a test sets: by libfaketime, loaded before libc, that reads from a
 * file how far the clock is ahead. The monotonic clock stays as it is, as it does when an operator sets the clock.
 *
 * <p>The library has to be installed (Debian's package {@code libfaketime}), or the system property
 * {@code faketime.lib} names it. It does nothing in a program that is linked statically.
 */
final class FakeClock {

    private static final String PROPERTY = "faketime.lib";
    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final Path INSTALLED = Path.of("faketime", "libfaketimeMT.so.1");

    private final Path library;
    private final Path ahead;

    /**
     * A clock that is right.
     *
     * @param folder where it keeps its file
     * @throws IllegalStateException if the library is not there
     */
    FakeClock(Path folder) throws IOException {
        library = located();
        ahead = folder.resolve("clock");
        write(Duration.ZERO);
    }

    /** What the server's process needs. */
    Map<String, String> environment() {
        return Map.of(
                // An allocator that comes before libc asks for the time while libfaketime still looks for the real one.
                "LD_PRELOAD",
                library + " libc.so.6",
                "FAKETIME_TIMESTAMP_FILE",
                ahead.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }

    /** Sets it on by this from the true time. */
    void set(Duration newAhead) {
        try {
            write(newAhead);
        } catch (IOException e) {
            throw new UncheckedIOException("The clock cannot be set: " + ahead, e);
        }
    }

    /** In one step, so that nobody reads half of it. */
    private void write(Duration newAhead) throws IOException {
        long seconds = newAhead.toSeconds();
        Path fresh = Files.writeString(ahead.resolveSibling("clock.new"), (seconds < 0 ? "" : "+") + seconds + "\n");
        Files.move(fresh, ahead, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path located() throws IOException {
        String named = System.getProperty(PROPERTY, "");
        Optional<Path> found =
                named.isEmpty() ? installed() : Optional.of(Path.of(named)).filter(Files::isReadable);
        return found.orElseThrow(() -> new IllegalStateException(
                "The clock of a server is set by libfaketime, which is not there: install Debian's package "
                        + "libfaketime, or name libfaketimeMT.so.1 by the system property " + PROPERTY
                        + (named.isEmpty() ? "" : ", which names no file: " + named)));
    }

    /** Debian has a folder for each platform. */
    private static Optional<Path> installed() throws IOException {
        try (Stream<Path> folders = Files.list(LIBRARIES)) {
            return folders.map(folder -> folder.resolve(INSTALLED))
                    .filter(Files::isReadable)
                    .findFirst();
        }
    }
}
