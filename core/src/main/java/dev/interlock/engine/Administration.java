package dev.interlock.engine;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.List;

/** What operators do: look, list, and end a claim by force. */
final class Administration {

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

    /** A holder is released by its own owner id, so a claim that came after the look is not touched. */
    boolean forceUnlock(LockId id) {
        boolean any = false;
        for (LockStatus.Holder holder : inspect(id).holders()) {
            OwnerId owner = new OwnerId(holder.owner());
            Claim claim =
                    Claim.of(id, owner, Duration.ofSeconds(1), holder.party()).byForce();
            any |= core.await(core.releaseInStore(claim), core.attemptTimeoutNanos(), "force lock '" + id.name() + "'");
            Arbiter arbiter = core.arbiter(id);
            if (arbiter != null) {
                arbiter.forced(owner);
            }
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
