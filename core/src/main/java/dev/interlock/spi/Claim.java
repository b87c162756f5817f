package dev.interlock.spi;

import dev.interlock.Party;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request of the engine for a name. Immutable. Two claims are equal if they have the same id and owner: the other
 * parts may differ from one request to the next.
 */
@SuppressWarnings("exports")
public final class Claim {

    private final LockId id;
    private final Mode mode;
    private final OwnerId owner;
    private final Duration lease;
    private final Party party;
    private final @Nullable Duration waited;
    private final @Nullable OwnerId replaces;
    private final boolean forced;
    private final boolean lapses;

    private Claim(
            LockId id,
            Mode mode,
            OwnerId owner,
            Duration lease,
            Party party,
            @Nullable Duration waited,
            @Nullable OwnerId replaces,
            boolean forced,
            boolean lapses) {
        this.id = id;
        this.mode = mode;
        this.owner = owner;
        this.lease = lease;
        this.party = party;
        this.waited = waited;
        this.replaces = replaces;
        this.forced = forced;
        this.lapses = lapses;
    }

    /** An exclusive claim that tries once: if the name is not free, the store keeps nothing of it. */
    public static Claim of(LockId id, OwnerId owner, Duration lease, Party party) {
        return of(id, Mode.exclusive(), owner, lease, party);
    }

    /** A claim that tries once: if it cannot be granted, the store keeps nothing of it. */
    public static Claim of(LockId id, Mode mode, OwnerId owner, Duration lease, Party party) {
        return new Claim(id, mode, owner, lease, party, null, null, false, false);
    }

    /** The same claim for another name, which is another claim for a store: for a store in front of another. */
    public Claim withId(LockId newId) {
        return new Claim(newId, mode, owner, lease, party, waited, replaces, forced, lapses);
    }

    /**
     * The same claim in another mode. A claim of a read/write lock that is held as exclusive and acquired as shared
     * becomes shared, without a moment in between, and those who wait to share are woken.
     */
    public Claim inMode(Mode newMode) {
        return new Claim(id, newMode, owner, lease, party, waited, replaces, forced, lapses);
    }

    /**
     * The same claim, which the store lists as waiting if it is not granted. It has waited for {@code waited} already:
     * queues are in the order of arrival.
     */
    public Claim waiting(Duration waited) {
        return new Claim(id, mode, owner, lease, party, waited, replaces, forced, lapses);
    }

    /** The same claim with another length of the lease, for the next acquire or renew. */
    public Claim withLease(Duration newLease) {
        return new Claim(id, mode, owner, newLease, party, waited, replaces, forced, lapses);
    }

    /**
     * The same claim, which replaces an earlier claim of the same client: the acquire first ends the earlier claim and
     * wakes the waiters whose turn it is, and then waits behind all of them. Null if the earlier claim has been ended.
     * With it a client gives others their turn in one round trip.
     */
    public Claim replacing(@Nullable OwnerId earlier) {
        return new Claim(id, mode, owner, lease, party, waited, earlier, forced, lapses);
    }

    /**
     * The same claim, to be released by another client than its owner's. The store remembers that, so that a renewal
     * can notify the owner.
     */
    public Claim byForce() {
        return new Claim(id, mode, owner, lease, party, waited, replaces, true, lapses);
    }

    /**
     * The same claim, whose release leaves it to lapse. In the place of the claim, in the same step, comes one of the
     * owner {@link OwnerId#left()}, with the same mode and fence, that lasts for {@code after} from then: for a shorter
     * or a longer time than the claim would have lasted. If it is shorter, the store wakes those whose turn it would be
     * if the claim were released, so that they learn when to ask. If the claim was left before, nothing changes.
     */
    public Claim lapsing(Duration after) {
        return new Claim(id, mode, owner, after, party, waited, replaces, forced, true);
    }

    /** The name. */
    public LockId id() {
        return id;
    }

    /** What the claim wants of the name. */
    public Mode mode() {
        return mode;
    }

    /** The owner of the claim. */
    public OwnerId owner() {
        return owner;
    }

    /** How long the store keeps the claim without a renewal. */
    public Duration lease() {
        return lease;
    }

    /** The process and thread behind the claim, for people. */
    public Party party() {
        return party;
    }

    /** How long the claim has waited; null if it is not to be listed as waiting. */
    public @Nullable Duration waited() {
        return waited;
    }

    /** The claim that this one replaces; null if none. */
    public @Nullable OwnerId replaces() {
        return replaces;
    }

    /** Whether the release leaves the claim to lapse, after its {@link #lease()}. */
    public boolean lapses() {
        return lapses;
    }

    /** Whether another client than the owner's releases the claim. */
    public boolean forced() {
        return forced;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Claim that && id.equals(that.id) && owner.equals(that.owner);
    }

    @Override
    public int hashCode() {
        // Nearly always another for another claim; and the same in every run, as a simulation needs it.
        return owner.value().hashCode();
    }

    @Override
    public String toString() {
        return "Claim[name=" + id.printable() + ", kind=" + id.kind() + ", mode=" + mode + ", owner="
                + Printable.of(owner.value()) + ", lease=" + lease + "]";
    }
}
