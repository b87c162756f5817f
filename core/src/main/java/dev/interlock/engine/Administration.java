package dev.interlock.engine;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What operators do: look, list, ask a holder to let go, and end a claim by force. */
final class Administration {

    /** Between two tries. */
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /** The lease of a claim that only asks: it holds nothing. */
    private static final Duration ASKED = Duration.ofSeconds(1);

    private final EngineContext context;
    private final Arbiters arbiters;

    Administration(EngineCore core) {
        this.context = core.context();
        this.arbiters = core.arbiters();
    }

    LockStatus inspect(LockId id) {
        return context.store()
                .await(
                        context.store().inspect(id),
                        context.timeouts().attemptNanos(),
                        "inspect lock '" + id.name() + "'");
    }

    /** The kinds under which somebody uses this name. */
    List<LockStatus> inspect(String name) {
        List<LockStatus> used = new ArrayList<>();
        List<RuntimeException> refused = new ArrayList<>();
        for (LockKind kind : LockKind.values()) {
            try {
                LockStatus status = inspect(new LockId(name, kind));
                if (isUsed(status)) {
                    used.add(status);
                }
            } catch (IllegalStateException | UnsupportedOperationException e) {
                // Another kind stands under this name, which another look finds; or the store does not have this kind.
                refused.add(e);
            }
        }
        if (refused.size() == LockKind.values().length) {
            throw refused.get(0);
        }
        return used;
    }

    private static boolean isUsed(LockStatus status) {
        return status.isLocked()
                || !status.waiters().isEmpty()
                || (status.kind() == LockKind.LATCH && status.count() > 0);
    }

    /**
     * Asks the store for something that is over when it is granted, again and again with the same claim while the store
     * does not answer: it does it once.
     *
     * @return whether it was granted
     */
    boolean act(Request request) {
        if (context.isClosed()) {
            throw context.closedException(request.id());
        }
        UnsupportedOperationException refusal = context.store().refusal(request.id(), request.mode());
        if (refusal != null) {
            throw refusal;
        }
        Claim claim = context.claims().newClaim(request, Thread.currentThread().getName());
        String what = (request.mode() instanceof Mode.Ask ? "ask the holder of '" : "change '")
                + request.id().name() + "'";
        long until = context.now() + context.timeouts().storeNanos();
        while (true) {
            try {
                return context.store()
                                .await(
                                        context.store().acquire(claim, false),
                                        context.timeouts().attemptNanos(),
                                        what)
                        instanceof Attempt.Granted;
            } catch (StoreUnavailableException e) {
                if (context.now() >= until || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(this, Timeouts.jittered(PAUSE_NANOS));
            }
        }
    }

    /** A holder is released by its own owner id, so a claim that came after the look is not touched. */
    boolean forceUnlock(LockStatus seen) {
        LockId id = new LockId(seen.name(), seen.kind());
        boolean any = false;
        for (LockStatus.Holder holder : seen.holders()) {
            OwnerId owner = new OwnerId(holder.owner());
            Claim claim =
                    Claim.of(id, owner, Duration.ofSeconds(1), holder.party()).byForce();
            any |= context.store()
                    .await(
                            context.store().release(claim, false),
                            context.timeouts().attemptNanos(),
                            "force lock '" + id.name() + "'");
            arbiters.of(id).forEach(arbiter -> arbiter.forced(owner));
        }
        return any;
    }

    /** Whether anybody held it and has been asked. */
    boolean requestRevocation(LockId id, LockOptions options) {
        return act(new Request(id, new Mode.Ask(), options, LeaseTerm.fixed(ASKED)));
    }

    List<LockStatus> list(String prefix, int limit) {
        // Many requests, one after the other, where the store has much else in it.
        return context.store()
                .await(
                        context.store().catalog(prefix).list(prefix, limit).toCompletableFuture(),
                        context.timeouts().storeNanos(),
                        "list the locks");
    }
}
