package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The claims of all names and the clients that share them. Its monitor guards the entries; wakes are sent after leaving it. */
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
        OwnerId woken = null;
        Attempt attempt;
        synchronized (this) {
            long now = clock.getAsLong();
            NameEntry entry = entry(claim.id(), now);
            OwnerId earlier = claim.replaces();
            if (earlier != null && entry.end(earlier, false, now)) {
                woken = entry.takeLongestWaiting();
            }
            boolean othersFirst = woken != null && claim.waited() != null;
            attempt = othersFirst ? entry.lineUp(claim, now) : entry.acquire(claim, lastFence + 1, now);
            if (attempt instanceof Attempt.Granted granted) {
                lastFence = Math.max(lastFence, granted.fence());
            }
            tidy(entry);
        }
        wake(claim.id(), woken);
        return attempt;
    }

    boolean release(Claim claim) {
        OwnerId woken = null;
        boolean held;
        synchronized (this) {
            long now = clock.getAsLong();
            NameEntry entry = entry(claim.id(), now);
            held = entry.end(claim.owner(), claim.forced(), now);
            // A claim that only waited may have been woken before: then it passes the wake on.
            if (entry.isFree()) {
                woken = entry.takeLongestWaiting();
            }
            tidy(entry);
        }
        wake(claim.id(), woken);
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
        TreeMap<String, LockStatus> found = new TreeMap<>();
        for (NameEntry entry : entries.values()) {
            LockStatus status = entry.status(now);
            if (status.isLocked() && status.name().startsWith(prefix)) {
                found.put(status.name(), status);
            }
        }
        return found.values().stream().limit(limit).toList();
    }

    private NameEntry entry(LockId id, long now) {
        if (entries.size() >= sweepAt) {
            sweep(now);
            sweepAt = Math.max(SWEEP_FROM, 2 * entries.size());
        }
        NameEntry entry = entries.computeIfAbsent(id, NameEntry::new);
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

    private void wake(LockId id, @Nullable OwnerId woken) {
        if (woken != null) {
            clients.forEach(client -> client.wake(id, woken.clientId()));
        }
    }
}
