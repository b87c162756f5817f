package dev.interlock.zookeeper;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Mode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A participant as it was seen: its node, what it says of itself, how old it is, and what is left of its lease.
 *
 * @param payload null if another library has made it
 * @param about what such a library has written: its address, mostly
 */
record Seen(NodeName node, @Nullable Payload payload, String about, Duration age, Duration left, long czxid) {

    private static final long TOKENS_PER_FENCE = 1024;

    static Seen of(NodeName node, Session.Read read, @Nullable ServerClock clock, @Nullable Duration left) {
        Payload payload = Payload.decode(read.data);
        Duration age = clock == null ? Duration.ZERO : clock.since(read.stat.getCtime());
        Duration lease = payload == null ? Duration.ZERO : payload.lease();
        Duration written = clock == null ? Duration.ZERO : clock.since(read.stat.getMtime());
        // An older one was renewed since, when only its own client knows.
        Duration likely = written.compareTo(lease) < 0 ? lease.minus(written) : lease;
        return new Seen(
                node,
                payload,
                new String(read.data, StandardCharsets.UTF_8),
                age,
                left == null ? likely : left,
                read.stat.getCzxid());
    }

    String owner() {
        return payload == null ? node.text() : payload.owner();
    }

    LockStatus.Holder holder(Mode mode) {
        return new LockStatus.Holder(owner(), party(), mode, age, left, token());
    }

    LockStatus.Waiter waiter(Mode mode) {
        return new LockStatus.Waiter(owner(), party(), mode, age);
    }

    private Party party() {
        if (payload != null) {
            return payload.party();
        }
        boolean address = !about.isEmpty()
                && !about.equals(Revocation.WORD)
                && about.length() <= 255
                && about.chars().allMatch(c -> c > ' ' && c < 127);
        return address ? new Party(about, 0, "", "") : Party.UNKNOWN;
    }

    private long token() {
        if (payload == null) {
            return 0;
        }
        return (payload.fence() == 0 ? czxid : payload.fence()) * TOKENS_PER_FENCE;
    }

    /** What it takes part as, in a lock or a read/write lock. */
    Mode mode() {
        return switch (node.role()) {
            case READ -> Mode.shared();
            case LOCK -> payload != null && payload.inOrder() ? Mode.fair() : Mode.exclusive();
            default -> Mode.fair();
        };
    }

    /** How many permits it has or wants. */
    int permits() {
        return payload == null ? 1 : Math.max(1, payload.permits());
    }

    Mode permitsOf(int most) {
        int capacity = payload == null || payload.capacity() == 0 ? most : payload.capacity();
        return new Mode.Permits(permits(), Math.max(permits(), capacity));
    }

    int capacity() {
        return payload == null ? 0 : payload.capacity();
    }
}
