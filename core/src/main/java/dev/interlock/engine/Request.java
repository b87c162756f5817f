package dev.interlock.engine;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants: of which name, in which mode, on what terms.
 *
 * @param writeLease the lease that the calling thread has on the write lock, if it wants the read lock besides; else
 *     null
 */
record Request(LockId id, Mode mode, LockOptions options, LeaseTerm term, @Nullable Lease writeLease) {

    /** A null that stood in a queue would fail everybody behind it. */
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
     * Whether the caller stands in the store's queue with a claim of its own, as whoever is served in the order of
     * arrival does. Others share a queue in this process, and a claim.
     */
    boolean standsAlone() {
        return mode.inOrder() && !mayShare() && (options.isFair() || !isForPermits());
    }

    /** Whether many claims of the name may be held at once, each with a lease on the whole of it. */
    boolean isForPermits() {
        return id.kind() == LockKind.SEMAPHORE;
    }

    /** Whether several leases may stand on one claim. */
    boolean mayShare() {
        return id.kind() == LockKind.READ_WRITE;
    }
}
