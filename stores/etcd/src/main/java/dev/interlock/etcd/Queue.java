package dev.interlock.etcd;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import io.etcd.jetcd.kv.TxnResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one name in the order of their creation, as far as they were read, and the rule: a claim holds if it
 * fits beside all claims before it, whether these hold or wait. So a claim that holds never stops to because another
 * one came, and each client can tell for itself.
 *
 * @param id the name
 * @param prefix what the keys of its claims begin with
 * @param entries the claims, the oldest first
 * @param head the key with the state of a semaphore or a latch; null if it is not there
 * @param state what that key says
 * @param revision etcd's revision when they were read
 */
record Queue(LockId id, String prefix, List<Entry> entries, @Nullable StoredKey head, State state, long revision) {

    /** Reads the keys of an answer. */
    static Queue of(LockId id, String prefix, TxnResponse answer) {
        return of(id, prefix, StoredKey.in(answer), answer.getHeader().getRevision());
    }

    static Queue of(LockId id, String prefix, List<StoredKey> keys, long revision) {
        boolean hasState = id.kind() == LockKind.SEMAPHORE || id.kind() == LockKind.LATCH;
        List<Entry> entries = new ArrayList<>();
        StoredKey head = null;
        for (StoredKey key : keys) {
            if (hasState && key.name().equals(prefix)) {
                head = key;
            } else {
                entries.add(Entry.of(id, key));
            }
        }
        entries.sort(Comparator.comparingLong(entry -> entry.key().created()));
        return new Queue(id, prefix, entries, head, head == null ? State.UNSET : State.of(head), revision);
    }

    /** The claim with this key; null if it is not there. */
    @Nullable
    Entry entry(String key) {
        return entries.stream()
                .filter(entry -> entry.key().name().equals(key))
                .findFirst()
                .orElse(null);
    }

    /** How many permits a semaphore has: as it was set, or as its oldest claim says; 0 if nobody says. */
    int capacity() {
        return state.count() > 0
                ? state.count()
                : entries.stream()
                        .map(Entry::mode)
                        .filter(Mode.Permits.class::isInstance)
                        .mapToInt(mode -> ((Mode.Permits) mode).capacity())
                        .findFirst()
                        .orElse(0);
    }

    /** What keeps this claim from holding; null if nothing does. */
    @Nullable
    Obstacle obstacleOf(Entry own) {
        List<Entry> before = entries.subList(0, entries.indexOf(own));
        if (own.mode() instanceof Mode.AwaitZero) {
            return state.count() == 0 ? null : new Obstacle(prefix, false, Map.of(), 1);
        } else if (own.mode() instanceof Mode.Permits wanted) {
            Map<String, Integer> permits = new HashMap<>();
            before.forEach(entry -> permits.put(entry.key().name(), entry.weight()));
            long missing =
                    permits.values().stream().mapToLong(Integer::longValue).sum() + wanted.count() - capacity();
            // When the capacity shrank, those who held then keep their permits.
            boolean holds = missing <= 0 || own.key().created() <= state.granted();
            return holds ? null : new Obstacle(prefix, true, permits, missing);
        }
        for (int i = before.size() - 1; i >= 0; i--) {
            Entry nearest = before.get(i);
            if (!(own.mode() instanceof Mode.Shared && nearest.mode() instanceof Mode.Shared)) {
                return new Obstacle(
                        nearest.key().name(), false, Map.of(nearest.key().name(), 1), 1);
            }
        }
        return null;
    }

    /** Whether this claim holds. */
    boolean holds(Entry entry) {
        return id.kind() != LockKind.LATCH && obstacleOf(entry) == null;
    }

    /** The claims that hold, in order, in one pass: each as {@link #holds} says. */
    List<Entry> holding() {
        List<Entry> holding = new ArrayList<>();
        int capacity = capacity();
        long weight = 0;
        boolean shared = true;
        for (Entry entry : id.kind() == LockKind.LATCH ? List.<Entry>of() : entries) {
            boolean fits = entry.mode() instanceof Mode.Permits wanted
                    ? weight + wanted.count() <= capacity || entry.key().created() <= state.granted()
                    : entry.mode() instanceof Mode.Shared ? shared : entry.equals(entries.get(0));
            if (fits) {
                holding.add(entry);
            }
            weight += entry.weight();
            shared &= entry.mode() instanceof Mode.Shared;
        }
        return holding;
    }

    /** Whether a new claim of this mode would hold. */
    boolean hasRoomFor(Mode mode) {
        if (mode instanceof Mode.Permits permits) {
            int capacity = capacity() == 0 ? permits.capacity() : capacity();
            return entries.stream().mapToLong(Entry::weight).sum() + permits.count() <= capacity;
        }
        return mode instanceof Mode.AwaitZero
                ? state.count() == 0
                : entries.stream()
                        .allMatch(entry -> mode instanceof Mode.Shared && entry.mode() instanceof Mode.Shared);
    }

    /**
     * What a claim waits for.
     *
     * @param key the key to watch
     * @param isPrefix whether to watch all keys that begin with it
     * @param weights how much room each key makes that is deleted
     * @param missing how much room is missing
     */
    record Obstacle(String key, boolean isPrefix, Map<String, Integer> weights, long missing) {}
}
