package dev.interlock.zookeeper.node;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Mode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A participant of a lock, as its node shows it.
 *
 * @param node the name of its node
 * @param payload its data; null if another library has created the node
 * @param text its data as text; another library mostly writes its address
 * @param age the time since the node was created
 * @param left the rest of its lease, or a guess
 * @param czxid the transaction that created the node
 */
public record Participant(
        NodeName node, @Nullable Payload payload, String text, Duration age, Duration left, long czxid) {

    /**
     * A participant with this node.
     *
     * @param clock the time of the servers; without one the age counts as 0
     * @param left the rest of the lease, if it is known
     */
    public static Participant of(
            NodeName node,
            NodeData read,
            @Nullable Payload payload,
            @Nullable ServerClock clock,
            @Nullable Duration left) {
        Duration age = clock == null ? Duration.ZERO : clock.since(read.stat().getCtime());
        Duration lease = payload == null ? Duration.ZERO : payload.lease();
        Duration written =
                clock == null ? Duration.ZERO : clock.since(read.stat().getMtime());
        // Written longer ago than its lease, it must have been renewed since; only its own client knows when.
        Duration likely = written.compareTo(lease) < 0 ? lease.minus(written) : lease;
        return new Participant(
                node,
                payload,
                new String(read.data(), StandardCharsets.UTF_8),
                age,
                left == null ? likely : left,
                read.stat().getCzxid());
    }

    public String owner() {
        return payload == null ? node.text() : payload.owner();
    }

    public LockStatus.Holder holder(Mode mode) {
        return new LockStatus.Holder(owner(), party(), mode, age, left, token());
    }

    public LockStatus.Waiter waiter(Mode mode) {
        return new LockStatus.Waiter(owner(), party(), mode, age);
    }

    private Party party() {
        if (payload != null) {
            return payload.party();
        }
        boolean address = !text.isEmpty()
                && !text.equals(Payload.REVOKE)
                && text.length() <= 255
                && text.chars().allMatch(c -> c > ' ' && c < 127);
        return address ? new Party(text, 0, "", "") : Party.UNKNOWN;
    }

    private long token() {
        if (payload == null) {
            return 0;
        }
        return Attempt.token(payload.fence() == 0 ? czxid : payload.fence());
    }

    /** The mode of a participant of a lock or a read/write lock. */
    public Mode mode() {
        return switch (node.role()) {
            case READ -> Mode.shared();
            case LOCK, LEADER -> payload != null && payload.inOrder() ? Mode.fair() : Mode.exclusive();
            default -> Mode.fair();
        };
    }

    /** The number of permits that it has or wants. */
    public int permits() {
        return payload == null ? 1 : Math.max(1, payload.permits());
    }

    /** Its mode as a participant of a semaphore, of which some participant claims at most this capacity. */
    public Mode permitsOf(int most) {
        int capacity = payload == null || payload.capacity() == 0 ? most : payload.capacity();
        return new Mode.Permits(permits(), Math.max(permits(), capacity));
    }

    /** The capacity that it claims; 0 if it claims none. */
    public int capacity() {
        return payload == null ? 0 : payload.capacity();
    }
}
