package dev.interlock;

import dev.interlock.engine.Engine;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TreeSet;

/**
 * A client of a store of locks: the factory of everything else.
 *
 * <pre>{@code
 * try (Interlock interlock = Interlock.connect("redis://localhost:6379")) {
 *   DistributedLock lock = interlock.lock("orders:42");
 *   lock.lock();
 *   try { ... } finally { lock.unlock(); }
 *
 *   try (Lease lease = lock.acquire()) {
 *     orders.save(order, lease.token());
 *   }
 * }
 * }</pre>
 *
 * <p>Creating one does no I/O, so an application starts while its store is down; the first use is bounded by its own
 * deadline. Keep one for each store and process. Thread-safe.
 */
public final class Interlock implements AutoCloseable {

    private final Engine engine;
    private final LockOptions defaults;

    Interlock(Engine engine, LockOptions defaults) {
        this.engine = engine;
        this.defaults = defaults;
    }

    /**
     * A client of the store at this URI, with default settings.
     *
     * @throws IllegalArgumentException if the URI is malformed or no store on the class path knows its scheme
     * @throws IllegalStateException if the store needs something that is not on the class path, as a JDBC driver
     */
    public static Interlock connect(String uri) {
        return builder(uri).build();
    }

    /** A client of the store at this URI, to be configured. Throws as {@link #connect(String)}. */
    public static InterlockBuilder builder(String uri) {
        return builder(open(uri));
    }

    /**
     * A client of this store, to be configured. A store object has one client, which listens to it; closing the client
     * closes the store.
     */
    public static InterlockBuilder builder(LockStore store) {
        return new InterlockBuilder(store);
    }

    /** A client of a store of its own in this process: for tests, and for programs that may run without a server. */
    public static Interlock inMemory() {
        return builder(new MemoryStore()).build();
    }

    /**
     * The lock of this name, with the client's default options.
     *
     * @param name any non-empty text of at most 512 bytes in UTF-8
     * @throws IllegalArgumentException if the name breaks a rule; the message says which
     */
    public DistributedLock lock(String name) {
        return lock(name, defaults);
    }

    /** The lock of this name, with these options. Throws as {@link #lock(String)}. */
    public DistributedLock lock(String name, LockOptions options) {
        return engine.lock(LockId.lock(name), options);
    }

    /** The read/write lock of this name, with the client's default options. Throws as {@link #lock(String)}. */
    public DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, defaults);
    }

    /** The read/write lock of this name, with these options. Throws as {@link #lock(String)}. */
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        return engine.readWriteLock(new LockId(name, LockKind.READ_WRITE), options);
    }

    /**
     * The semaphore of this name, with the client's default options. Throws as {@link #lock(String)}.
     *
     * @param capacity how many permits there are, 1 or more, unless others have used the name before (not on ZooKeeper)
     *     or resized it
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public DistributedSemaphore semaphore(String name, int capacity) {
        return semaphore(name, capacity, defaults);
    }

    /**
     * The semaphore of this name, with these options: all but {@code nonReentrant()}, which has no effect. Throws as
     * {@link #semaphore(String, int)}.
     */
    public DistributedSemaphore semaphore(String name, int capacity, LockOptions options) {
        return engine.semaphore(new LockId(name, LockKind.SEMAPHORE), capacity, options);
    }

    /** The latch of this name. Throws as {@link #lock(String)}. */
    public DistributedLatch latch(String name) {
        return engine.latch(new LockId(name, LockKind.LATCH));
    }

    /**
     * The locks that are held now, and the latches that are not at zero, in order of their names.
     *
     * @param prefix how the names begin; empty for all
     * @param limit the most to return, 1 or more
     * @throws UnsupportedOperationException if the store cannot list
     * @throws StoreUnavailableException if the store did not answer in time
     */
    public List<LockStatus> list(String prefix, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be 1 or more: " + limit);
        }
        return engine.list(prefix, limit);
    }

    /**
     * Who holds this name and who waits for it: an entry for each kind of lock under which somebody uses it; empty if
     * nobody does.
     *
     * @throws IllegalArgumentException if the name breaks a rule; the message says which
     * @throws IllegalStateException if the store refuses to look whatever the kind, as a closed one does
     * @throws StoreUnavailableException if the store did not answer in time
     */
    public List<LockStatus> inspect(String name) {
        return engine.inspect(name);
    }

    /**
     * Ends the claims of the holders that this status shows, of whatever kind of lock, and of nobody who has come
     * since. Each is told as by {@link DistributedLock#forceUnlock()}, and may still be at work: what it writes is kept
     * out by its fencing token only.
     *
     * @param seen what {@link #inspect(String)} or {@link #list} returned; one without holders changes nothing
     * @return whether any of them still held it
     * @throws StoreUnavailableException if the store did not answer in time
     */
    public boolean forceUnlock(LockStatus seen) {
        return engine.forceUnlock(seen);
    }

    /**
     * Refuses new acquisitions, ends those that wait with {@link IllegalStateException}, releases what is held, waits a
     * bounded time for the store to confirm, and closes the store. Leaves no thread behind, but those on which
     * callbacks of the user still run. Idempotent; a second call does not wait for the first.
     */
    @Override
    public void close() {
        engine.close();
    }

    private static LockStore open(String uri) {
        int colon = uri.indexOf(':');
        String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        TreeSet<String> known = new TreeSet<>();
        for (LockStoreProvider provider :
                ServiceLoader.load(LockStoreProvider.class, Interlock.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider.create(uri);
            }
            known.addAll(provider.schemes());
        }
        throw new IllegalArgumentException((colon < 0
                        ? "A store URI must begin with a scheme and a colon"
                        : "No store on the class path knows the scheme '" + scheme + "'")
                + "; known are "
                + (known.isEmpty()
                        ? "none: add interlock-redis, interlock-jdbc, interlock-zookeeper or interlock-mongodb"
                        : known));
    }
}
