package dev.interlock.engine;

import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Arbitration} does for one kind of lock and not for another. It treats them alike otherwise: callers line
 * up in one queue, a claim is asked for on behalf of the first, and is handed over until its turn is over.
 *
 * <pre>
 *                     callers of the process      a held claim                       when its turn is over
 *   LockPolicy        line up                     is open to whoever runs            is replaced
 *   ReadWritePolicy   line up, readers share      goes to the next in the queue      is replaced, or keeps its readers
 *   SemaphorePolicy   line up if there are none   has one lease; another is sought   is given back
 *   LatchPolicy       line up, and share          is over when it is granted         is given back
 * </pre>
 *
 * <p>The methods here do what most kinds do. Another kind is one more subclass, which overrides what it does otherwise,
 * and one more case in {@code Arbitration.policyOf}. Each arbiter has a policy of its own. Not thread-safe: the
 * arbiter's monitor guards it.
 */
abstract class KindPolicy {

    // ---- a caller arrives

    /**
     * Whether a caller lines up with the others of its process; otherwise it asks the store for itself.
     *
     * @param isLine whether others wait already, or nobody is there at all
     * @param claims how many claims of the name this process holds
     */
    boolean linesUp(Waiter waiter, boolean isLine, int claims) {
        return true;
    }

    /**
     * Whether others of this process are in the way of a caller that makes a single attempt: then there is no need to
     * ask the store.
     *
     * @param isAside whether claims of the name are put aside
     */
    boolean isBarredTo(Waiter single, @Nullable LeasedClaim current, boolean isAside, WaiterQueue queue) {
        return (current != null && !current.isRetained()) || !queue.isEmpty() || isAside;
    }

    // ---- a claim that waits

    /** Whether a claim that waits asks once more for callers that have come since its last request. */
    boolean asksAgain(LeasedClaim waiting, WaiterQueue queue) {
        return false;
    }

    /**
     * Whether what the store has said last is nothing to this caller any more.
     *
     * @param isFailing whether the last request failed
     */
    boolean isOutdated(Waiter waiter, @Nullable LeasedClaim current, boolean isFailing) {
        return false;
    }

    /**
     * Which claim a wake is for; null: any.
     *
     * @param inOrder whether it is for a claim that stands in the store's order for one caller
     */
    @Nullable
    OwnerId woken(Wake wake, boolean inOrder) {
        return wake.owner();
    }

    // ---- a claim that is held

    /** Whether each caller needs a claim of its own, for as many permits as it wants. */
    boolean hasClaimForEach() {
        return false;
    }

    /**
     * Whether one request gives back a claim whose turn is over and asks for the next. For other kinds that would be a
     * request of its own in each store, and it is rare: they give back, and ask.
     */
    boolean isReplaced() {
        return true;
    }

    /**
     * Whether a claim of which the last lease has ended is left open for the first in the queue to take, which is
     * signalled if it does not know.
     */
    boolean leavesOpenFor(Waiter first, DeferredActions actions) {
        return false;
    }

    /** A caller that came by has taken the claim that was left open. */
    void overtaken() {}

    /** A caller that was signalled has arrived. */
    void arrived(Waiter signalled) {}
}
