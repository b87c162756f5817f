package dev.interlock.quorum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import java.time.Duration;

/**
 * A claim of this client, and what may stand of it in the stores.
 *
 * <p>In each store it has an owner for each <em>round</em>: what a store granted while the majority did not is released
 * there, and a claim that was released must not be made again under the same owner, or a release that is late would end
 * it. Guarded by its own monitor.
 */
final class Ballot {

    private final OwnerId owner;

    @GuardedBy("this")
    private final int[] rounds;

    /** Which stores have said that the claim was held there and is released, in this round. */
    @GuardedBy("this")
    private final boolean[] released;

    /** Which stores have been asked for the claim, in this round, and have not answered. */
    @GuardedBy("this")
    private final boolean[] unknown;

    @GuardedBy("this")
    private long fence;

    @GuardedBy("this")
    private int splits;

    /** For how long it has been held since the register was last written, about. */
    @GuardedBy("this")
    private Duration unregistered = Duration.ZERO;

    /** The claim of this owner, in so many stores. */
    Ballot(OwnerId owner, int stores) {
        this.owner = owner;
        this.rounds = new int[stores];
        this.released = new boolean[stores];
        this.unknown = new boolean[stores];
    }

    /** The owner as this store knows it now. */
    synchronized OwnerId inStore(int store) {
        return Owners.inRound(owner, rounds[store]);
    }

    /** The claim as this store knows it now. */
    Claim inStore(int store, Claim claim) {
        return Owners.rename(claim, inStore(store));
    }

    /** What stands in this store is being released: the next attempt there is another owner's. */
    synchronized void nextRound(int store) {
        rounds[store]++;
        released[store] = false;
        unknown[store] = false;
    }

    /** An acquire goes out to this store, or its answer has come. */
    synchronized void isUnknown(int store, boolean newUnknown) {
        unknown[store] = newUnknown;
    }

    /** Whether this store may grant the claim yet. */
    synchronized boolean isUnknown(int store) {
        return unknown[store];
    }

    /** Held, with this fence. */
    synchronized void won(long newFence) {
        fence = newFence;
    }

    /** Not held, or not any more. */
    synchronized void lost() {
        fence = 0;
    }

    /** Some stores granted it, and too few; returns how often that was so before. */
    synchronized int split() {
        return splits++;
    }

    /** The fence; 0 if it is not held. */
    synchronized long fence() {
        return fence;
    }

    /** It is renewed for so long, as it is in each third of its lease; returns whether its register should be, too. */
    synchronized boolean renewsRegister(Duration lease) {
        unregistered = unregistered.plus(lease.dividedBy(3));
        boolean due = fence > 0 && unregistered.compareTo(FenceRegister.RENEWED_AFTER) >= 0;
        if (due) {
            unregistered = Duration.ZERO;
        }
        return due;
    }

    /**
     * Remembers a store's answer to a release.
     *
     * @return whether it has said, now or before, that the claim was held there
     */
    synchronized boolean released(int store, boolean held) {
        released[store] |= held;
        return released[store];
    }
}
