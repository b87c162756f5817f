package dev.interlock.engine;

import dev.interlock.spi.LockId;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The collaborators that the arbiters and the leases of a client share. None of them knows an arbiter:
 * {@link EngineCore} has these. Thread-safe.
 *
 * <p>No record: nobody compares or prints it, and a record weighs a third more.
 */
final class EngineContext {

    private final EngineClock clock;
    private final Timeouts timeouts;
    private final StoreClient store;
    private final ClaimFactory claims;
    private final Supervisor supervisor;
    private final Callbacks callbacks;
    private final Observers observers;
    private final PendingReleases releases;
    private final Works works = new Works();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean over;

    EngineContext(
            EngineClock clock,
            Timeouts timeouts,
            StoreClient store,
            ClaimFactory claims,
            Supervisor supervisor,
            Callbacks callbacks,
            Observers observers,
            PendingReleases releases) {
        this.clock = clock;
        this.timeouts = timeouts;
        this.store = store;
        this.claims = claims;
        this.supervisor = supervisor;
        this.callbacks = callbacks;
        this.observers = observers;
        this.releases = releases;
    }

    EngineClock clock() {
        return clock;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    StoreClient store() {
        return store;
    }

    ClaimFactory claims() {
        return claims;
    }

    Supervisor supervisor() {
        return supervisor;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    Observers observers() {
        return observers;
    }

    PendingReleases releases() {
        return releases;
    }

    Works works() {
        return works;
    }

    /** Whether the client closes, so that nothing new may begin. */
    AtomicBoolean closed() {
        return closed;
    }

    /** The client has waited long enough: from now on it {@linkplain #spares} nobody. */
    void over() {
        over = true;
    }

    /**
     * Whether a client that closes still serves this thread. While it waits for work under its leases, that work may
     * acquire what it needs to end.
     */
    boolean spares(long threadId) {
        return !over && works.mayBeDoneBy(threadId);
    }

    /** Whether nothing may begin for this thread. */
    boolean refuses(long threadId) {
        return closed.get() && !spares(threadId);
    }

    /** The present moment. */
    long now() {
        return clock.now();
    }

    boolean isClosed() {
        return closed.get();
    }

    IllegalStateException closedException(LockId id) {
        return new IllegalStateException(
                "The client is closed: lock '" + id.printable() + "' cannot be used; create a new client");
    }
}
