package dev.interlock.spi;

import dev.interlock.Party;
import java.time.Duration;

/**
 * A request of the engine that acts on a name and is over at once: it holds nothing and waits for nothing. Immutable.
 *
 * @param id the name
 * @param action what to do
 * @param owner unique to one command, so that a store executes a command once, however often it is repeated; of
 *     {@link KeepPermits} the owner of the claim that it is about
 * @param lease how long the store remembers what the command has set without a use of the name; of {@link KeepPermits}
 *     and {@link RequestRevocation} without a meaning
 * @param party the process and thread behind the command, for people
 */
@SuppressWarnings("exports")
public record Command(LockId id, Action action, OwnerId owner, Duration lease, Party party) {

    /** @throws IllegalArgumentException if the kind of the name does not have this action */
    public Command {
        if (!isOf(id.kind(), action)) {
            throw new IllegalArgumentException("This kind of lock has no such action: kind=" + id.kind() + ", action="
                    + action + ", name=" + id.printable());
        }
    }

    private static boolean isOf(LockKind kind, Action action) {
        return switch (kind) {
            case LOCK, READ_WRITE -> action instanceof RequestRevocation;
            case SEMAPHORE -> action instanceof Resize || action instanceof AddPermits || action instanceof KeepPermits;
            case LATCH -> action instanceof SetCount || action instanceof CountDown;
        };
    }

    /** The same command for another name, which is another command for a store: for a store in front of another. */
    public Command withId(LockId newId) {
        return new Command(newId, action, owner, lease, party);
    }

    @Override
    public String toString() {
        return "Command[name=" + id.printable() + ", kind=" + id.kind() + ", action=" + action + ", owner="
                + Printable.of(owner.value()) + ", lease=" + lease + "]";
    }

    /** What a command does. */
    public sealed interface Action {}

    /**
     * Sets the capacity of a semaphore. Never refused.
     *
     * @param capacity the new capacity, 1 or more; holders keep their permits
     */
    public record Resize(int capacity) implements Action {}

    /**
     * Changes the capacity of a semaphore by a number. Refused if the semaphore would have fewer permits than one, or
     * more than an {@code int} holds. A store remembers for a minute that it has executed the command.
     *
     * @param more how many more permits; negative for fewer. Holders keep their permits
     * @param capacity how many the semaphore has, 1 or more, unless the store knows its capacity already
     */
    public record AddPermits(int more, int capacity) implements Action {}

    /**
     * Returns some of the permits that the claim of this owner holds. Refused if that claim holds none. Changes neither
     * the lease nor the fence of that claim.
     *
     * @param count how many permits the claim keeps, 1 or more; as many as before if it holds no more than that
     */
    public record KeepPermits(int count) implements Action {}

    /**
     * Sets the count of a latch. Refused unless the count is zero.
     *
     * @param count the new count, 1 or more
     */
    public record SetCount(int count) implements Action {}

    /** Subtracts one from the count of a latch, unless it is zero. Never refused. */
    public record CountDown() implements Action {}

    /**
     * Requests that all holders of a lock or a read/write lock let go, and ends nothing. Refused if there is no holder.
     * {@link Wake.Requested} notifies the clients of the holders: at once, or with the answer to their next renewal. A
     * store need not notify a claim that has not been renewed yet, nor a claim that was notified before.
     */
    public record RequestRevocation() implements Action {}
}
