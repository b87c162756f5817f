package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims in a map of this process, for tests and as the reference of the other stores. {@link #session()} gives further clients of the same map, each as
 * separate from the others as two processes are.
 */
public final class MemoryStore implements LockStore, LockCatalog {

    private final Shared shared;
    private volatile boolean closed;
    private volatile @Nullable Consumer<LockId> listener;
    private volatile @Nullable String clientId;

    /** An empty store. */
    public MemoryStore() {
        this(new Shared(System::nanoTime));
    }

    /** An empty store with this monotonic clock, in nanoseconds. */
    public MemoryStore(LongSupplier nanoClock) {
        this(new Shared(nanoClock));
    }

    private MemoryStore(Shared shared) {
        this.shared = shared;
        shared.sessions.add(this);
    }

    /** Another client's view of the same claims. */
    public MemoryStore session() {
        return new MemoryStore(shared);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        clientId = claim.owner().clientId();
        return answer(() -> shared.acquire(claim));
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return answer(() -> shared.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return answer(() -> shared.renew(claims));
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return answer(() -> shared.inspect(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return answer(() -> shared.list(prefix, limit));
    }

    @Override
    public void onWake(Consumer<LockId> newListener) {
        listener = newListener;
    }

    @Override
    public void close() {
        closed = true;
        shared.sessions.remove(this);
    }

    private <T> CompletionStage<T> answer(Supplier<T> verb) {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("The store is closed"));
        }
        return CompletableFuture.completedFuture(verb.get());
    }

    /** The claims of all names. Guarded by its own monitor; wakes are sent after leaving it. */
    private static final class Shared {
        /** How long the mark of a forced release is kept. */
        private static final long FORCED_NANOS = Duration.ofMinutes(1).toNanos();

        private final LongSupplier clock;
        private final Map<LockId, Entry> entries = new HashMap<>();
        private final List<MemoryStore> sessions = new CopyOnWriteArrayList<>();
        private long lastFence;

        Shared(LongSupplier clock) {
            this.clock = clock;
        }

        Attempt acquire(Claim claim) {
            Woken woken = new Woken();
            Attempt attempt;
            synchronized (this) {
                Entry entry = entry(claim.id());
                OwnerId replaces = claim.replaces();
                if (replaces != null) {
                    entry.end(replaces, false, woken);
                }
                attempt = entry.acquire(claim, woken);
                tidy(entry);
            }
            wake(woken);
            return attempt;
        }

        boolean release(Claim claim) {
            Woken woken = new Woken();
            boolean held;
            synchronized (this) {
                Entry entry = entry(claim.id());
                held = entry.end(claim.owner(), claim.forced(), woken);
                tidy(entry);
            }
            wake(woken);
            return held;
        }

        synchronized Map<Claim, Renewal> renew(Collection<Claim> claims) {
            Map<Claim, Renewal> result = new HashMap<>();
            for (Claim claim : claims) {
                Entry entry = entry(claim.id());
                result.put(claim, entry.renew(claim));
                tidy(entry);
            }
            return result;
        }

        synchronized LockStatus inspect(LockId id) {
            Entry entry = entry(id);
            LockStatus status = entry.status();
            tidy(entry);
            return status;
        }

        synchronized List<LockStatus> list(String prefix, int limit) {
            TreeMap<String, LockStatus> found = new TreeMap<>();
            for (Entry entry : entries.values()) {
                LockStatus status = entry.status();
                if (status.isLocked() && status.name().startsWith(prefix)) {
                    found.put(status.name(), status);
                }
            }
            return found.values().stream().limit(limit).toList();
        }

        private Entry entry(LockId id) {
            Entry entry = entries.computeIfAbsent(id, Entry::new);
            entry.expire();
            return entry;
        }

        private void tidy(Entry entry) {
            if (entry.isEmpty()) {
                entries.remove(entry.id);
            }
        }

        private void wake(Woken woken) {
            String client = woken.client;
            LockId id = woken.id;
            if (client == null || id == null) {
                return;
            }
            for (MemoryStore session : sessions) {
                Consumer<LockId> listener = session.listener;
                if (listener != null && client.equals(session.clientId)) {
                    listener.accept(id);
                }
            }
        }

        /** One name. */
        private final class Entry {
            final LockId id;
            private @Nullable Held held;
            private @Nullable OwnerId forced;
            private long forcedUntil;
            private final Map<OwnerId, Waiting> waiting = new LinkedHashMap<>();

            Entry(LockId id) {
                this.id = id;
            }

            Attempt acquire(Claim claim, Woken woken) {
                long now = clock.getAsLong();
                Held current = held;
                if (current != null && !current.owner.equals(claim.owner())) {
                    Duration waited = claim.waited();
                    if (waited != null) {
                        waiting.put(
                                claim.owner(),
                                new Waiting(
                                        claim.party(),
                                        now - waited.toNanos(),
                                        now + claim.lease().toNanos()));
                    }
                    return Attempt.busy(Duration.ofNanos(current.until - now));
                }
                if (woken.client != null && claim.waited() != null) {
                    // The replaced claim's turn is over: who waited before goes first.
                    waiting.put(
                            claim.owner(),
                            new Waiting(claim.party(), now, now + claim.lease().toNanos()));
                    return Attempt.busy(Duration.ofMillis(100));
                }
                waiting.remove(claim.owner());
                if (current == null) {
                    current = new Held(claim.owner(), claim.party(), now, ++lastFence);
                    held = current;
                }
                current.until = now + claim.lease().toNanos();
                return Attempt.granted(current.fence);
            }

            boolean end(OwnerId owner, boolean byForce, Woken woken) {
                waiting.remove(owner);
                Held current = held;
                if (current == null || !current.owner.equals(owner)) {
                    return false;
                }
                held = null;
                if (byForce) {
                    forced = owner;
                    forcedUntil = clock.getAsLong() + FORCED_NANOS;
                }
                longestWaiting().ifPresent(next -> {
                    waiting.remove(next);
                    woken.id = id;
                    woken.client = next.clientId();
                });
                return true;
            }

            Renewal renew(Claim claim) {
                Held current = held;
                if (current == null) {
                    return claim.owner().equals(forced) ? Renewal.FORCED : Renewal.DELETED;
                }
                if (!current.owner.equals(claim.owner())) {
                    return claim.owner().equals(forced) ? Renewal.FORCED : Renewal.TAKEN;
                }
                current.until = clock.getAsLong() + claim.lease().toNanos();
                return Renewal.HELD;
            }

            LockStatus status() {
                long now = clock.getAsLong();
                List<LockStatus.Holder> holders = new ArrayList<>();
                Held current = held;
                if (current != null) {
                    holders.add(new LockStatus.Holder(
                            current.owner.value(),
                            current.party,
                            Duration.ofNanos(now - current.since),
                            Duration.ofNanos(current.until - now),
                            current.fence));
                }
                List<LockStatus.Waiter> waiters = waiting.entrySet().stream()
                        .sorted((a, b) ->
                                Long.compare(a.getValue().since(), b.getValue().since()))
                        .map(e -> new LockStatus.Waiter(
                                e.getKey().value(),
                                e.getValue().party(),
                                Duration.ofNanos(now - e.getValue().since())))
                        .toList();
                return new LockStatus(id.name(), holders, waiters);
            }

            void expire() {
                long now = clock.getAsLong();
                Held current = held;
                if (current != null && now - current.until >= 0) {
                    held = null;
                }
                if (forced != null && now - forcedUntil >= 0) {
                    forced = null;
                }
                waiting.values().removeIf(w -> now - w.until() >= 0);
            }

            boolean isEmpty() {
                return held == null && forced == null && waiting.isEmpty();
            }

            private Optional<OwnerId> longestWaiting() {
                return waiting.entrySet().stream()
                        .min((a, b) ->
                                Long.compare(a.getValue().since(), b.getValue().since()))
                        .map(Map.Entry::getKey);
            }
        }
    }

    private static final class Held {
        final OwnerId owner;
        final Party party;
        final long since;
        final long fence;
        long until;

        Held(OwnerId owner, Party party, long since, long fence) {
            this.owner = owner;
            this.party = party;
            this.since = since;
            this.fence = fence;
        }
    }

    private record Waiting(Party party, long since, long until) {}

    private static final class Woken {
        @Nullable
        LockId id;

        @Nullable
        String client;
    }
}
