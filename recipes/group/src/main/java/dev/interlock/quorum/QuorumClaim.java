package dev.interlock.quorum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Withdrawable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The state of one claim of this client in the stores.
 *
 * <p>The claim has one owner in each store and <em>round</em>. If a store grants the claim and the majority does not,
 * it is released there, and the next attempt has a new owner: otherwise a release that arrives late would end the new
 * claim.
 *
 * <p>Thread-safe. The monitor guards all fields; nothing is called while it is held.
 */
final class QuorumClaim {

    /** As it was first asked for. */
    private final Claim claim;

    @GuardedBy("this")
    private final int[] rounds;

    /** The stores that have answered, in this round, that they held the claim and have released it. */
    @GuardedBy("this")
    private final boolean[] released;

    /** The stores whose answer to the acquire is missing, in this round. */
    @GuardedBy("this")
    private final boolean[] pending;

    /** The acquire that was last sent to each store, in this round; null if none was. */
    @GuardedBy("this")
    private final List<@Nullable CompletableFuture<?>> requests;

    /** The stores that may have received an acquire before that one, in this round. */
    @GuardedBy("this")
    private final boolean[] reached;

    @GuardedBy("this")
    private long fence;

    @GuardedBy("this")
    private int splits;

    /** About how long the claim has been held since its register was last written. */
    @GuardedBy("this")
    private Duration unregistered = Duration.ZERO;

    QuorumClaim(Claim claim, int stores) {
        this.claim = claim;
        this.rounds = new int[stores];
        this.released = new boolean[stores];
        this.pending = new boolean[stores];
        this.reached = new boolean[stores];
        this.requests = new ArrayList<>(Collections.nCopies(stores, null));
    }

    /** The owner in this store in the current round. */
    synchronized OwnerId inStore(int store) {
        return Owners.inRound(claim.owner(), rounds[store]);
    }

    /** The claim in this store in the current round. */
    Claim inStore(int store, Claim asked) {
        return Owners.withOwner(asked, inStore(store));
    }

    /** Begins a new round in this store, because the claim is being released there. */
    synchronized void nextRound(int store) {
        rounds[store]++;
        released[store] = false;
        pending[store] = false;
        reached[store] = false;
        requests.set(store, null);
    }

    /** Records that an acquire is sent to this store, or that its answer has arrived. */
    synchronized void pending(int store, boolean isPending) {
        pending[store] = isPending;
    }

    /** Records the acquire that is sent to this store. */
    void sent(int store, CompletableFuture<?> request) {
        CompletableFuture<?> earlier;
        boolean before;
        synchronized (this) {
            earlier = requests.set(store, request);
            before = reached[store];
            // Until it is known that it was not sent.
            reached[store] |= earlier != null;
        }
        if (earlier != null && isWithdrawn(earlier)) {
            synchronized (this) {
                reached[store] = before;
            }
        }
    }

    /** Gives up the acquires of this round in this store. Returns true if none has been sent, and none ever will be. */
    boolean withdraw(int store) {
        CompletableFuture<?> last;
        synchronized (this) {
            last = reached[store] ? null : requests.get(store);
        }
        return last != null && isWithdrawn(last);
    }

    private static boolean isWithdrawn(CompletableFuture<?> request) {
        return request instanceof Withdrawable unsent && unsent.withdraw();
    }

    /** Whether this store may still grant the claim. */
    synchronized boolean isPending(int store) {
        return pending[store];
    }

    /**
     * Gives up the claim in this store, where another one was to replace it.
     *
     * @param isReplaced whether the store has confirmed that
     * @return what the store may still hold, or grant because its answer is missing; null if there is no such thing
     */
    @Nullable
    Claim giveUp(int store, boolean isReplaced) {
        synchronized (this) {
            if (isReplaced && !pending[store]) {
                return null;
            }
            pending[store] = false;
        }
        return withdraw(store) ? null : inStore(store, claim);
    }

    /** Records that the claim is held with this fence. */
    synchronized void granted(long newFence) {
        fence = newFence;
    }

    /** Records that the claim is not held. */
    synchronized void notGranted() {
        fence = 0;
    }

    /** Counts a round in which some stores granted the claim, but no majority; returns how many came before. */
    synchronized int countSplit() {
        return splits++;
    }

    /** The fence; 0 if the claim is not held. */
    synchronized long fence() {
        return fence;
    }

    /** Records a renewal, one of three in each lease; returns whether the register must be renewed with it. */
    synchronized boolean renewsRegister(Duration lease) {
        unregistered = unregistered.plus(lease.dividedBy(3));
        boolean due = fence > 0 && unregistered.compareTo(FenceRegister.RENEWED_AFTER) >= 0;
        if (due) {
            unregistered = Duration.ZERO;
        }
        return due;
    }

    /**
     * Records a store's answer to a release.
     *
     * @return whether the store has answered, now or before, that it held the claim
     */
    synchronized boolean released(int store, boolean held) {
        released[store] |= held;
        return released[store];
    }
}
