package dev.interlock.zookeeper.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The capacity that a semaphore was set to: the data of a node of its own.
 *
 * @param permits the number of permits
 * @param life how long the node counts after it was written
 */
public record SemaphoreCapacity(int permits, Duration life) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,10}) (\\d{1,15})");

    public static byte[] encode(int capacity, Duration life) {
        return (capacity + " " + life.toMillis()).getBytes(US_ASCII);
    }

    /** Parses a node; empty if there is none, or if it has expired. */
    public static Optional<SemaphoreCapacity> of(Optional<NodeData> read, @Nullable ServerClock clock) {
        return read.flatMap(node -> parse(node).filter(capacity -> !node.isOlder(capacity.life, clock)));
    }

    private static Optional<SemaphoreCapacity> parse(NodeData node) {
        Matcher form = FORM.matcher(new String(node.data(), US_ASCII));
        if (!form.matches()) {
            return Optional.empty();
        }
        long permits = Math.min(Integer.MAX_VALUE, Long.parseLong(form.group(1)));
        return Optional.of(new SemaphoreCapacity((int) permits, Duration.ofMillis(Long.parseLong(form.group(2)))));
    }
}
