package dev.interlock.engine;

import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What operators do: look, list, and end a claim by force. */
final class Administration {

    /** Between two tries. */
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final EngineCore core;

    Administration(EngineCore core) {
        this.core = core;
    }

    LockStatus inspect(LockId id) {
        return core.await(
                core.store().inspect(id).toCompletableFuture(),
                core.attemptTimeoutNanos(),
                "inspect lock '" + id.name() + "'");
    }

    /**
     * Asks the store for something that is over when it is granted, again and again with the same claim while the store does not answer: it does it once.
     *
     * @return whether it was granted
     */
    boolean act(Request request) {
        if (core.isClosed()) {
            throw core.closedException(request.id());
        }
        Claim claim = core.newClaim(request, Thread.currentThread().getName());
        String what = "change '" + request.id().name() + "'";
        long until = core.now() + core.storeTimeoutNanos();
        while (true) {
            try {
                return core.await(core.acquire(claim), core.attemptTimeoutNanos(), what) instanceof Attempt.Granted;
            } catch (StoreUnavailableException e) {
                if (core.now() >= until || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(this, core.jittered(PAUSE_NANOS));
            }
        }
    }

    /** A holder is released by its own owner id, so a claim that came after the look is not touched. */
    boolean forceUnlock(LockId id) {
        boolean any = false;
        for (LockStatus.Holder holder : inspect(id).holders()) {
            OwnerId owner = new OwnerId(holder.owner());
            Claim claim =
                    Claim.of(id, owner, Duration.ofSeconds(1), holder.party()).byForce();
            any |= core.await(core.releaseInStore(claim), core.attemptTimeoutNanos(), "force lock '" + id.name() + "'");
            core.arbiters().of(id).forEach(arbiter -> arbiter.forced(owner));
        }
        return any;
    }

    List<LockStatus> list(String prefix, int limit) {
        if (core.store() instanceof LockCatalog catalog) {
            return core.await(
                    catalog.list(prefix, limit).toCompletableFuture(), core.attemptTimeoutNanos(), "list the locks");
        }
        throw new UnsupportedOperationException(
                "This store cannot list its locks: " + core.store().getClass().getName());
    }
}
