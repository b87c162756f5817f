package dev.interlock.zookeeper.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The capacity that a semaphore was set to: the data of a node of its own.
 *
 * @param permits the number of permits
 * @param life how long the node counts after it was written
 * @param added the last owners that have changed it by a number, as UUIDs, so that a repeated request does nothing
 */
public record SemaphoreCapacity(int permits, Duration life, List<String> added) {

    /** How many owners are remembered. A request is repeated within seconds, and each acquire reads them. */
    private static final int REMEMBERED = 100;

    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,9}) (\\d{1,15})((?: [0-9a-f-]{36}){0,100})");

    public SemaphoreCapacity {
        added = List.copyOf(added);
    }

    /** A capacity that was set. */
    public static SemaphoreCapacity of(int permits, Duration life) {
        return new SemaphoreCapacity(permits, life, List.of());
    }

    public byte[] encode() {
        String numbers = permits + " " + life.toMillis();
        return (added.isEmpty() ? numbers : numbers + ' ' + String.join(" ", added)).getBytes(US_ASCII);
    }

    public boolean hasAdded(OwnerId owner) {
        return added.contains(LatchCount.word(owner));
    }

    /** The capacity after this owner has changed it. */
    public SemaphoreCapacity added(int newPermits, Duration newLife, OwnerId owner) {
        List<String> now = new ArrayList<>(added.subList(Math.max(0, added.size() - REMEMBERED + 1), added.size()));
        now.add(LatchCount.word(owner));
        return new SemaphoreCapacity(newPermits, newLife, now);
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
        List<String> added = form.group(3).isEmpty()
                ? List.of()
                : List.of(form.group(3).strip().split(" "));
        return Optional.of(
                new SemaphoreCapacity((int) permits, Duration.ofMillis(Long.parseLong(form.group(2))), added));
    }
}
