package dev.interlock.engine;

import dev.interlock.spi.LockId;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The collaborators that the arbiters and the leases of a client share. None of them knows an arbiter:
 * {@link EngineCore} has these. Thread-safe.
 *
 * @param closed whether the client closes, so that nothing new may begin
 */
record EngineContext(
        EngineClock clock,
        Timeouts timeouts,
        StoreClient store,
        ClaimFactory claims,
        Supervisor supervisor,
        Callbacks callbacks,
        Events events,
        Observers observers,
        PendingReleases releases,
        AtomicBoolean closed) {

    /** The present moment. */
    long now() {
        return clock.now();
    }

    boolean isClosed() {
        return closed.get();
    }

    IllegalStateException closedException(LockId id) {
        return new IllegalStateException(
                "The client is closed: lock '" + id.name() + "' cannot be acquired; create a new client");
    }
}
