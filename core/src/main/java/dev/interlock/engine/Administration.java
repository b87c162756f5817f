package dev.interlock.engine;

import dev.interlock.LockAdministration;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.StoreRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The operations of an administrator, and the requests behind them, which the kinds use too: inspect, execute a
 * command, end a claim. Thread-safe; without state of its own.
 */
final class Administration implements LockAdministration {

    /** The pause between two attempts. */
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /** The lease of a request that has nothing to be remembered. */
    private static final Duration NOTHING_TO_REMEMBER = Duration.ofSeconds(1);

    /** The kinds whose holders can be asked to let go. */
    private static final List<LockKind> ASKED_KINDS = List.of(LockKind.LOCK, LockKind.READ_WRITE);

    private final EngineContext context;
    private final Arbiters arbiters;
    private final BiFunction<String, LockKind, LockId> ids;

    Administration(EngineCore core) {
        this(core, LockId::new);
    }

    /** @param ids checks the name of a lock of a kind */
    Administration(EngineCore core, BiFunction<String, LockKind, LockId> ids) {
        this.context = core.context();
        this.arbiters = core.arbiters();
        this.ids = ids;
    }

    LockStatus inspect(LockId id) {
        context.store().ensureMayWait();
        return context.store()
                .await(
                        context.store().inspect(id),
                        context.timeouts().attemptNanos(),
                        "inspect lock '" + id.printable() + "'");
    }

    // Throws if nobody uses the name as any kind that can be read: what cannot be read may be held.
    @Override
    public List<LockStatus> inspect(String name) {
        List<LockStatus> used = new ArrayList<>();
        List<RuntimeException> refused = new ArrayList<>();
        List<RuntimeException> unreadable = new ArrayList<>();
        for (LockKind kind : LockKind.values()) {
            try {
                LockStatus status = inspect(ids.apply(name, kind));
                if (isUsed(status)) {
                    used.add(status);
                }
            } catch (UnsupportedOperationException e) {
                // The store lacks this kind.
                refused.add(e);
            } catch (IllegalStateException e) {
                refused.add(e);
                // What the name is in use as is found by its own inspection, and may have ended since.
                if (!(e.getCause() instanceof StoreRefusal refusal) || !refusal.isOfOtherKind()) {
                    unreadable.add(e);
                }
            }
        }
        if (used.isEmpty() && !unreadable.isEmpty()) {
            throw unreadable.get(0);
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
     * Has the store do this.
     *
     * @param life how long the store remembers what this sets
     * @return whether it was done; false if its rule refuses it
     */
    boolean execute(LockId id, Command.Action action, Duration life, LockOptions options) {
        context.store().require(Capability.neededFor(action), id.name());
        return execute(context.claims()
                .newCommand(id, action, life, options, Thread.currentThread().getName()));
    }

    /** Does the same by this command, and repeats it while the store does not reply: the store executes it once. */
    boolean execute(Command command) {
        LockId id = command.id();
        if (context.refuses(Thread.currentThread().getId())) {
            throw context.closedException(id);
        }
        context.store().ensureMayWait();
        boolean asks = command.action() instanceof Command.RequestRevocation;
        String what = (asks ? "ask the holder of '" : "change '") + id.printable() + "'";
        long until = context.now() + context.timeouts().storeNanos();
        while (true) {
            try {
                return context.store()
                        .await(
                                context.store().execute(command),
                                context.timeouts().attemptNanos(),
                                what);
            } catch (StoreUnavailableException e) {
                if (context.now() >= until || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(this, context.timeouts().jittered(PAUSE_NANOS));
            }
        }
    }

    @Override
    public boolean forceUnlock(String name) {
        boolean any = false;
        for (LockStatus seen : inspect(name)) {
            any |= forceUnlock(seen);
        }
        return any;
    }

    // By their owner ids: a claim that was granted later is not touched.
    @Override
    public boolean forceUnlock(LockStatus seen) {
        LockId id = idOf(seen);
        boolean any = false;
        for (LockStatus.Holder holder : seen.holders()) {
            any |= end(id, new OwnerId(holder.owner()), "force lock");
        }
        return any;
    }

    @Override
    public LockStatus withLocalWaiters(LockStatus seen) {
        LockId id = idOf(seen);
        List<LockStatus.Waiter> all = new ArrayList<>(seen.waiters());
        arbiters.of(id).forEach(arbiter -> all.addAll(arbiter.unlistedWaiters()));
        all.sort(Comparator.comparing(LockStatus.Waiter::waitingFor).reversed());
        return new LockStatus(seen.name(), seen.kind(), seen.holders(), all, seen.count());
    }

    @Override
    public Set<String> endedByForce(LockStatus seen) {
        LockId id = idOf(seen);
        Set<String> present =
                inspect(id).holders().stream().map(LockStatus.Holder::owner).collect(Collectors.toSet());
        // A renewal tells how a claim has ended, and changes nothing: one that is gone never comes back.
        List<Claim> gone = seen.holders().stream()
                .filter(holder -> !present.contains(holder.owner()))
                .map(holder ->
                        Claim.of(id, holder.mode(), new OwnerId(holder.owner()), Duration.ofSeconds(1), holder.party()))
                .toList();
        if (gone.isEmpty()) {
            return Set.of();
        }
        return context
                .store()
                .await(
                        context.store().renew(gone),
                        context.timeouts().attemptNanos(),
                        "ask how the claims on lock '" + id.printable() + "' have ended")
                .entrySet()
                .stream()
                .filter(answer -> answer.getValue() == Renewal.FORCED)
                .map(answer -> answer.getKey().owner().value())
                .collect(Collectors.toSet());
    }

    private LockId idOf(LockStatus seen) {
        return ids.apply(Objects.requireNonNull(seen, "seen").name(), seen.kind());
    }

    /** Ends the claim of this owner, whichever client has it. Returns whether it was held. */
    boolean end(LockId id, OwnerId owner, String what) {
        context.store().ensureMayWait();
        Claim claim = Claim.of(id, owner, Duration.ofSeconds(1), Party.UNKNOWN).byForce();
        boolean held = context.store()
                .await(
                        context.store().release(claim, false),
                        context.timeouts().attemptNanos(),
                        what + " '" + id.printable() + "'");
        arbiters.of(id).forEach(arbiter -> arbiter.forced(owner));
        return held;
    }

    @Override
    public boolean requestRevocation(String name) {
        boolean any = false;
        List<UnsupportedOperationException> refused = new ArrayList<>();
        for (LockKind kind : ASKED_KINDS) {
            try {
                any |= ask(ids.apply(name, kind));
            } catch (UnsupportedOperationException e) {
                // The store lacks this kind, or asks nobody.
                refused.add(e);
            }
        }
        if (refused.size() == ASKED_KINDS.size()) {
            throw refused.get(0);
        }
        return any;
    }

    @Override
    public boolean requestRevocation(LockStatus seen) {
        LockId id = idOf(seen);
        if (!ASKED_KINDS.contains(id.kind())) {
            throw new UnsupportedOperationException(
                    "Only holders of a lock or a read/write lock can be asked to let go, and '"
                            + id.printable() + "' is a "
                            + id.kind().name().toLowerCase(Locale.ROOT)
                            + ": end their claims by force");
        }
        return ask(id);
    }

    /** Asks those who hold the name as this kind. Nobody does if it is in use as another. */
    private boolean ask(LockId id) {
        try {
            return execute(id, new Command.RequestRevocation(), NOTHING_TO_REMEMBER, LockOptions.defaults());
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof StoreRefusal refusal && refusal.isOfOtherKind()) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public List<LockStatus> list(String prefix, int limit) {
        Objects.requireNonNull(prefix, "prefix");
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be 1 or more: " + limit);
        }
        context.store().ensureMayWait();
        // A store with many other entries needs many requests, one after the other.
        return context.store()
                .await(
                        context.store().catalog(prefix).list(prefix, limit).toCompletableFuture(),
                        context.timeouts().storeNanos(),
                        "list the locks");
    }
}
