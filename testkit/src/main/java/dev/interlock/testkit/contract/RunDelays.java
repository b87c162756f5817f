package dev.interlock.testkit.contract;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * How long threads of this process were ready to run and no processor was free for them, as Linux counts it
 * ({@code schedstat}); nothing on another system. Begins to count when it is made.
 */
final class RunDelays {

    private static final Path THREADS = Path.of("/proc/self/task");

    /** A call is made by one thread, answered by another, and timed by a third. */
    private static final int THREADS_OF_A_CALL = 3;

    private final Map<String, Long> before = read();

    /** The delays of those threads that were delayed most, as many as take part in a call. */
    Duration ofACall() {
        long nanos = read().entrySet().stream()
                .map(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sorted(Comparator.reverseOrder())
                .limit(THREADS_OF_A_CALL)
                .mapToLong(Long::longValue)
                .sum();
        return Duration.ofNanos(nanos);
    }

    private static Map<String, Long> read() {
        Map<String, Long> delays = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                delays.put(thread.getFileName().toString(), delayNanos(thread));
            }
        } catch (IOException e) {
            // Not a Linux, or one that does not count.
        }
        return delays;
    }

    /** The second of three numbers: time on a processor, time in the queue for one, and how often. */
    private static long delayNanos(Path thread) {
        try {
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[1]);
        } catch (IOException e) {
            // The thread has just ended.
            return 0;
        }
    }
}
