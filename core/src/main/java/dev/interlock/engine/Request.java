package dev.interlock.engine;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request of a caller: which name, in which mode, on what terms.
 *
 * @param writeLease the lease that the calling thread has on the write lock, if it wants the read lock besides; else
 *     null
 */
record Request(LockId id, Mode mode, LockOptions options, LeaseTerm term, @Nullable Lease writeLease) {

    /** Refuses null here: in the queue it would fail everybody behind it. */
    Request {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(term, "term");
    }

    Request(LockId id, Mode mode, LockOptions options, LeaseTerm term) {
        this(id, mode, options, term, null);
    }

    /**
     * Whether the caller waits in the store's queue with a claim of its own, as those who are served in the order of
     * arrival do. Others share a queue in this process, and a claim.
     */
    boolean standsAlone() {
        return mode.inOrder() && !mayShare() && (options.isFair() || !isForPermits());
    }

    /** Whether the client may keep the claim when its holder has released it. */
    boolean retains() {
        return !options.retained().isZero()
                && id.kind() == LockKind.LOCK
                && mode instanceof Mode.Exclusive exclusive
                && !exclusive.inOrder()
                && term.isRenewing();
    }

    /** The capability that the store must have; null if every store has it. */
    @Nullable
    Capability needed() {
        return retains() ? Capability.RETENTION : Capability.neededFor(id.kind(), mode);
    }

    /** Whether several claims of the name may be held at once, each with one lease. */
    boolean isForPermits() {
        return id.kind() == LockKind.SEMAPHORE;
    }

    /** Whether several leases may share one claim. */
    boolean mayShare() {
        return id.kind() == LockKind.READ_WRITE || isShared(mode);
    }

    /** Whether those who want this share a claim: readers, and all who wait for the zero of a latch. */
    static boolean isShared(Mode mode) {
        return mode instanceof Mode.Shared || mode instanceof Mode.AwaitZero;
    }
}
