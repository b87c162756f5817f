package dev.interlock.zookeeper.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.spi.OwnerId;
import dev.interlock.spi.StoreRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The data of a latch's node: the count, how long it lasts, who has set it, and who has counted it down lately, so that
 * a repeated request does nothing.
 *
 * @param version the version of the node
 * @param count the rest, 1 or more
 * @param life how long the node counts after it was written
 * @param setter the owner that has set it, as a UUID
 * @param counted the last owners that have counted it down, as UUIDs
 */
public record LatchCount(int version, int count, Duration life, String setter, List<String> counted) {

    /** How many owners are remembered. A request is repeated within seconds. */
    private static final int REMEMBERED = 1000;

    public LatchCount {
        counted = List.copyOf(counted);
    }

    public static LatchCount set(int count, Duration life, OwnerId setter) {
        return new LatchCount(-1, count, life, word(setter), List.of());
    }

    /**
     * Parses a node; empty if there is none, so that the latch is at zero, or if the node has expired.
     *
     * @param path the path of the node, for the message
     * @throws StoreRefusal if somebody else has written it
     */
    public static Optional<LatchCount> of(Optional<NodeData> read, @Nullable ServerClock clock, String path) {
        return read.flatMap(node -> parse(node, clock, path));
    }

    private static Optional<LatchCount> parse(NodeData node, @Nullable ServerClock clock, String path) {
        String[] words = new String(node.data(), UTF_8).split(" ", -1);
        try {
            LatchCount count = new LatchCount(
                    node.stat().getVersion(),
                    Integer.parseInt(words[0]),
                    Duration.ofMillis(Long.parseLong(words[1])),
                    words[2],
                    List.of(words).subList(3, words.length));
            if (count.count < 1 || count.life.isNegative()) {
                throw new NumberFormatException("out of range");
            }
            return node.isOlder(count.life, clock) ? Optional.empty() : Optional.of(count);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new StoreRefusal(
                    "The node of a latch has unknown data; use another name or delete the node: path=" + path, e);
        }
    }

    public byte[] encode() {
        return String.join(
                        " ", Integer.toString(count), Long.toString(life.toMillis()), setter, String.join(" ", counted))
                .stripTrailing()
                .getBytes(UTF_8);
    }

    public boolean isSetBy(OwnerId owner) {
        return setter.equals(word(owner));
    }

    public boolean hasCounted(OwnerId owner) {
        return counted.contains(word(owner));
    }

    /** The count after this owner has counted it down. */
    public LatchCount down(OwnerId owner) {
        List<String> now =
                new ArrayList<>(counted.subList(Math.max(0, counted.size() - REMEMBERED + 1), counted.size()));
        now.add(word(owner));
        return new LatchCount(version, count - 1, life, setter, now);
    }

    /** An owner as it is remembered. */
    static String word(OwnerId owner) {
        return UUID.nameUUIDFromBytes(owner.value().getBytes(UTF_8)).toString();
    }
}
