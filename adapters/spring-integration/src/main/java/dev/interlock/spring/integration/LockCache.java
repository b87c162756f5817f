package dev.interlock.spring.integration;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One lock object for each key, as long as anybody refers to it. It needs no capacity: who uses a key once leaves
 * nothing behind. Thread-safe.
 */
final class LockCache<K extends KeyLock> {

    private final ConcurrentHashMap<String, Entry<K>> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<K> collected = new ReferenceQueue<>();

    private static final class Entry<K> extends WeakReference<K> {
        private final String key;

        Entry(String key, K lock, ReferenceQueue<K> collected) {
            super(lock, collected);
            this.key = key;
        }
    }

    /** The lock of this key. Two callers at once get the same one: that of whoever stores it first. */
    K get(String key, Function<String, K> maker) {
        removeCollected();
        while (true) {
            Entry<K> known = entries.get(key);
            K lock = known == null ? null : known.get();
            if (lock != null) {
                return lock;
            }
            K fresh = maker.apply(key);
            if (store(key, known, new Entry<>(key, fresh, collected))) {
                return fresh;
            }
        }
    }

    void removeIf(Predicate<K> condition) {
        removeCollected();
        entries.values().removeIf(entry -> {
            K lock = entry.get();
            return lock != null && condition.test(lock);
        });
    }

    /** How many keys have an entry. */
    int size() {
        removeCollected();
        return entries.size();
    }

    private boolean store(String key, @Nullable Entry<K> known, Entry<K> entry) {
        return known == null ? entries.putIfAbsent(key, entry) == null : entries.replace(key, known, entry);
    }

    private void removeCollected() {
        for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
            Entry<?> entry = (Entry<?>) gone;
            entries.remove(entry.key, entry);
        }
    }
}
