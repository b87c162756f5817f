package dev.interlock.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The count of a latch as it stands in its node: what is left, for how long it counts, who has set it, and who has
 * counted lately, so that a repeated request does nothing.
 *
 * @param version of the node
 * @param count what is left, 1 or more
 * @param life for how long since it was written
 * @param setter who has set it
 * @param counted who has counted, the last ones of them
 */
record LatchCount(int version, int count, Duration life, String setter, List<String> counted) {

    /** So many are remembered: a request is repeated within seconds. */
    private static final int REMEMBERED = 1000;

    LatchCount {
        counted = List.copyOf(counted);
    }

    static LatchCount set(int count, Duration life, OwnerId setter) {
        return new LatchCount(-1, count, life, word(setter), List.of());
    }

    /** What stands there; nothing if the latch is at zero, or nobody has used it for its life. */
    static Optional<LatchCount> of(Optional<Session.Read> read, @Nullable ServerClock clock) {
        return read.flatMap(node -> parse(node, clock));
    }

    private static Optional<LatchCount> parse(Session.Read node, @Nullable ServerClock clock) {
        String[] words = new String(node.data, UTF_8).split(" ", -1);
        try {
            LatchCount count = new LatchCount(
                    node.stat.getVersion(),
                    Integer.parseInt(words[0]),
                    Duration.ofMillis(Long.parseLong(words[1])),
                    words[2],
                    List.of(words).subList(3, words.length));
            return Life.isOlder(node, count.life, clock) ? Optional.empty() : Optional.of(count);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalStateException("The node of a latch has unknown data; use another name or delete it", e);
        }
    }

    byte[] encode() {
        return String.join(
                        " ", Integer.toString(count), Long.toString(life.toMillis()), setter, String.join(" ", counted))
                .stripTrailing()
                .getBytes(UTF_8);
    }

    boolean isSetBy(OwnerId owner) {
        return setter.equals(word(owner));
    }

    boolean hasCounted(OwnerId owner) {
        return counted.contains(word(owner));
    }

    /** One less. */
    LatchCount down(OwnerId owner) {
        List<String> now =
                new ArrayList<>(counted.subList(Math.max(0, counted.size() - REMEMBERED + 1), counted.size()));
        now.add(word(owner));
        return new LatchCount(version, count - 1, life, setter, now);
    }

    private static String word(OwnerId owner) {
        return UUID.nameUUIDFromBytes(owner.value().getBytes(UTF_8)).toString();
    }
}
