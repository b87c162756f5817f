package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The claims of all names and the clients that share them. Its monitor guards the entries; wakes are sent after leaving
 * it.
 */
final class SharedClaims {

    /** Below this many entries nothing is swept: what is expired goes when its name is used again. */
    private static final int SWEEP_FROM = 1024;

    private final LongSupplier clock;
    private final List<MemoryStore> clients = new CopyOnWriteArrayList<>();
    private final Map<LockId, NameEntry> entries = new HashMap<>();
    private int sweepAt = SWEEP_FROM;
    private long lastFence;

    SharedClaims(LongSupplier nanoClock) {
        this.clock = nanoClock;
    }

    void join(MemoryStore client) {
        clients.add(client);
    }

    void leave(MemoryStore client) {
        clients.remove(client);
    }

    Attempt acquire(Claim claim) {
        if (claim.mode() instanceof Mode.Ask) {
            return ask(claim.id());
        }
        List<OwnerId> woken;
        Attempt attempt;
        synchronized (this) {
            long now = clock.getAsLong();
            NameEntry entry = entry(claim.id(), now);
            OwnerId earlier = claim.replaces();
            // A claim in order lines up by its own rule.
            boolean othersFirst = earlier != null
                    && entry.end(earlier, false, now)
                    && claim.waited() != null
                    && !claim.mode().inOrder();
            woken = othersFirst ? entry.toWake() : List.of();
            attempt = woken.isEmpty() ? entry.acquire(claim, lastFence + 1, now) : entry.lineUp(claim, now);
            if (attempt instanceof Attempt.Granted granted) {
                lastFence = Math.max(lastFence, granted.fence());
            }
            boolean busy = attempt instanceof Attempt.Busy;
            if (claim.id().kind() != LockKind.LOCK
                    ? busy || makesRoom(claim)
                    : busy && claim.mode().inOrder()) {
                // It may have made room for others, or have found room that the one whose turn it is has not come for.
                woken = entry.toWake();
            }
            tidy(entry);
        }
        wake(claim, woken);
        return attempt;
    }

    /**
     * Not whoever takes permits, or passes a latch: to wake the rest again, each within the one before, would take a
     * stack as deep as there are waiters.
     */
    private static boolean makesRoom(Claim claim) {
        return claim.replaces() != null
                || !(claim.mode() instanceof Mode.Permits || claim.mode() instanceof Mode.AwaitZero);
    }

    private Attempt ask(LockId id) {
        List<LockStatus.Holder> holders = inspect(id).holders();
        for (LockStatus.Holder holder : holders) {
            Wake wake = Wake.asked(id, new OwnerId(holder.owner()));
            clients.forEach(client -> client.wake(wake));
        }
        // Nothing is held, and so nothing is fenced.
        return holders.isEmpty() ? Attempt.busy(Duration.ZERO) : Attempt.granted(1);
    }

    boolean release(Claim claim) {
        List<OwnerId> woken;
        boolean held;
        synchronized (this) {
            long now = clock.getAsLong();
            NameEntry entry = entry(claim.id(), now);
            held = entry.end(claim.owner(), claim.forced(), now);
            // A claim that only waited may have been woken before, or have stood in the way: then it is the next one's
            // turn.
            woken = entry.toWake();
            tidy(entry);
        }
        wake(claim, woken);
        return held;
    }

    synchronized Map<Claim, Renewal> renew(Collection<Claim> claims) {
        long now = clock.getAsLong();
        Map<Claim, Renewal> result = new HashMap<>();
        for (Claim claim : claims) {
            NameEntry entry = entry(claim.id(), now);
            result.put(claim, entry.renew(claim, now));
            tidy(entry);
        }
        return result;
    }

    synchronized LockStatus inspect(LockId id) {
        long now = clock.getAsLong();
        NameEntry entry = entry(id, now);
        LockStatus status = entry.status(now);
        tidy(entry);
        return status;
    }

    synchronized List<LockStatus> list(String prefix, int limit) {
        long now = clock.getAsLong();
        sweep(now);
        return entries.values().stream()
                .map(entry -> entry.status(now))
                .filter(status -> status.name().startsWith(prefix))
                .filter(status -> status.isLocked() || (status.kind() == LockKind.LATCH && status.count() > 0))
                .sorted(Comparator.comparing(LockStatus::name).thenComparing(LockStatus::kind))
                .limit(limit)
                .toList();
    }

    private NameEntry entry(LockId id, long now) {
        if (entries.size() >= sweepAt) {
            sweep(now);
            sweepAt = Math.max(SWEEP_FROM, 2 * entries.size());
        }
        NameEntry entry = entries.computeIfAbsent(id, NameEntry::of);
        entry.expire(now);
        return entry;
    }

    private void sweep(long now) {
        entries.values().removeIf(entry -> {
            entry.expire(now);
            return entry.isEmpty();
        });
    }

    private void tidy(NameEntry entry) {
        if (entry.isEmpty()) {
            entries.remove(entry.id());
        }
    }

    private void wake(Claim by, List<OwnerId> woken) {
        for (OwnerId owner : woken) {
            if (!owner.equals(by.owner())) {
                clients.forEach(client -> client.wake(new Wake(by.id(), owner)));
            }
        }
    }
}
