package dev.interlock.engine;

import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Arbitration} does for one kind of lock and not for another. It treats them alike otherwise: callers line
 * up in one queue, a claim is asked for on behalf of the first, and is handed over until its turn is over.
 *
 * <pre>
 *                callers of the process      a held claim                       when its turn is over
 *   LOCK         line up                     is open to whoever runs            is replaced
 *   READ_WRITE   line up, readers share      goes to the next in the queue      is replaced, or keeps its readers
 *   SEMAPHORE    line up if there are none   has one lease; another is sought   is given back
 *   LATCH        line up, and share          is over when it is granted         is given back
 * </pre>
 *
 * <p>A policy has no state. Another kind is one more constant here.
 */
enum KindPolicy {
    LOCK {
        @Override
        boolean isOpen() {
            return true;
        }

        /**
         * The store takes a claim off its list when it wakes it. If the claim was given up meanwhile, the wake is for
         * the claim after it, and the owner does not count. A claim in order is still listed, and its release wakes the
         * next one.
         */
        @Override
        @Nullable
        OwnerId woken(Wake wake, boolean inOrder) {
            return inOrder ? wake.owner() : null;
        }
    },

    READ_WRITE,

    SEMAPHORE {
        /** With so many claims that are looked after together, whoever comes asks at an arbiter of its own. */
        private static final int MOST_CLAIMS = 64;

        /**
         * As long as the store may have permits left, each caller asks for its own and need not wait for another's
         * reply. It lines up when the store has said that there are none.
         */
        @Override
        boolean linesUp(Waiter waiter, boolean isLine, int claims) {
            return waiter.hasAsked() || (isLine && !waiter.isSingleAttempt() && claims < MOST_CLAIMS);
        }

        @Override
        boolean hasClaimForEach() {
            return true;
        }

        @Override
        boolean isReplaced() {
            return false;
        }
    },

    LATCH {
        /** A single attempt asks for itself: what the store has said to those who wait may be out of date. */
        @Override
        boolean linesUp(Waiter waiter, boolean isLine, int claims) {
            return !waiter.isSingleAttempt();
        }

        @Override
        boolean isReplaced() {
            return false;
        }

        /** What the count was before the last request it may not be now. */
        @Override
        boolean isOutdated() {
            return true;
        }
    };

    static KindPolicy of(LockKind kind) {
        return switch (kind) {
            case LOCK -> LOCK;
            case READ_WRITE -> READ_WRITE;
            case SEMAPHORE -> SEMAPHORE;
            case LATCH -> LATCH;
        };
    }

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
     * Whether a claim without a lease stays open to whoever runs, until the first in the queue has woken up. Those who
     * want a side of a read/write lock keep to the order, so that neither side starves the other.
     */
    boolean isOpen() {
        return false;
    }

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

    /** Whether those who wait need an answer to a request that was sent after they had come. */
    boolean isOutdated() {
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
}
