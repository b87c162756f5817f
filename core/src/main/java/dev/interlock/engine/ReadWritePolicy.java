package dev.interlock.engine;

import org.jspecify.annotations.Nullable;

/**
 * A read/write lock: readers share the claim. All keep to the order of the queue, so that neither side starves the
 * other: no claim is open.
 *
 * <p>If the turn of a claim is over while readers still hold it, it is put <em>aside</em>: they keep it, and whoever
 * comes now needs another claim. So neither the writers of other processes wait for ever nor the readers of this one
 * for each other. A writer's claim that its readers keep becomes shared, see {@link Conversion}.
 */
final class ReadWritePolicy extends KindPolicy {

    /** A reader may join those who hold the claim, or who ask for it now. */
    @Override
    boolean isBarredTo(Waiter single, @Nullable LeasedClaim current, boolean isAside, WaiterQueue queue) {
        if (!single.isShared()) {
            return super.isBarredTo(single, current, isAside, queue);
        }
        if (queue.isEmpty()) {
            return current != null && !current.hasRoomFor(single);
        }
        // Those in front get it, or not, together with this one.
        return current == null || !current.isIn(ClaimState.ASKING) || !current.isShared() || !queue.isAllShared();
    }

    /** The holder of the write lock gets the read lock besides, at no cost, and before all who wait. */
    static Outcome downgrade(EngineLease writeLease, Waiter holder, @Nullable LeasedClaim current, long now) {
        return current != null && current.exclusiveLease() == writeLease
                ? current.grantDowngrade(holder, now)
                : new Outcome.Failure(writeLease.endedException());
    }
}
