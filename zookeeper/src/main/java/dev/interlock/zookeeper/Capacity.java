package dev.interlock.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The capacity that a semaphore was set to, as it stands in a node of its own.
 *
 * @param permits how many there are
 * @param life for how long it counts since it was written
 */
record Capacity(int permits, Duration life) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,10}) (\\d{1,15})");

    static byte[] encode(int capacity, Duration life) {
        return (capacity + " " + life.toMillis()).getBytes(US_ASCII);
    }

    /** What it is set to; nothing if it is not, or nobody has used it for its life. */
    static Optional<Capacity> of(Optional<Session.Read> read, @Nullable ServerClock clock) {
        return read.flatMap(node -> parse(node).filter(capacity -> !Life.isOlder(node, capacity.life, clock)));
    }

    private static Optional<Capacity> parse(Session.Read node) {
        Matcher form = FORM.matcher(new String(node.data, US_ASCII));
        if (!form.matches()) {
            return Optional.empty();
        }
        long permits = Math.min(Integer.MAX_VALUE, Long.parseLong(form.group(1)));
        return Optional.of(new Capacity((int) permits, Duration.ofMillis(Long.parseLong(form.group(2)))));
    }
}
