package dev.interlock.deadlock;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who of this client holds and waits. Thread-safe.
 *
 * <p>A lock that a thread holds by {@code lock()} is held by that thread: nobody else can unlock it. A lease that was
 * acquired as a handle may be closed by anybody, so it counts as held only if its options name a participant, and then
 * by the participant. The participant also holds what it has acquired by {@code lock()}.
 */
final class Ledger implements Tracked.Book {

    private final Interlock client;
    private final AtomicLong counter = new AtomicLong();

    /** The leases, by the thread that acquired them, and by participant. No set in them is empty. */
    private final Map<Long, Set<Tracked>> byThread = new ConcurrentHashMap<>();

    private final Map<String, Set<Tracked>> byParticipant = new ConcurrentHashMap<>();
    private final Set<Tracked> waits = ConcurrentHashMap.newKeySet();

    Ledger(Interlock client) {
        this.client = client;
    }

    @Override
    public long nextNumber() {
        return counter.incrementAndGet();
    }

    @Override
    public void waiting(Tracked caller) {
        waits.add(caller);
    }

    @Override
    public void waited(Tracked caller) {
        waits.remove(caller);
    }

    /** A view of those who wait. */
    Set<Tracked> waits() {
        return waits;
    }

    @Override
    public void acquired(Tracked lease) {
        add(byThread, lease.threadId(), lease);
        if (!lease.participant().isEmpty()) {
            add(byParticipant, lease.participant(), lease);
        }
    }

    @Override
    public void ended(Tracked lease) {
        remove(byThread, lease.threadId(), lease);
        remove(byParticipant, lease.participant(), lease);
    }

    private static <K> void add(Map<K, Set<Tracked>> map, K key, Tracked lease) {
        map.compute(key, (same, present) -> {
            Set<Tracked> leases = present == null ? ConcurrentHashMap.newKeySet(2) : present;
            leases.add(lease);
            return leases;
        });
    }

    private static <K> void remove(Map<K, Set<Tracked>> map, K key, Tracked lease) {
        map.computeIfPresent(key, (same, leases) -> {
            leases.remove(lease);
            return leases.isEmpty() ? null : leases;
        });
    }

    @Override
    public List<Hold> heldByThisThread() {
        List<Hold> held = new ArrayList<>();
        for (Tracked lease : byThread.getOrDefault(Thread.currentThread().getId(), Set.of())) {
            if (isOwnedByThisThread(lease)) {
                held.add(lease.hold());
            }
        }
        return held;
    }

    private boolean isOwnedByThisThread(Tracked lease) {
        LockId id = lease.id();
        if (id.kind() == LockKind.SEMAPHORE) {
            return false;
        }
        DistributedLock lock = id.kind() == LockKind.LOCK
                ? client.lock(id.name())
                : lease.isShared()
                        ? client.readWriteLock(id.name()).readLock()
                        : client.readWriteLock(id.name()).writeLock();
        return lock.isHeldByCurrentThread() && lock.heldLease().token() == lease.token();
    }

    @Override
    public List<Hold> heldBy(String participant) {
        return byParticipant.getOrDefault(participant, Set.of()).stream()
                .map(Tracked::hold)
                .toList();
    }
}
