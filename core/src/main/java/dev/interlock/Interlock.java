package dev.interlock;

import dev.interlock.engine.Engine;
import dev.interlock.engine.EngineConfig;
import dev.interlock.spi.Capability;
import dev.interlock.spi.ElectionProvider;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of a store of locks, and the factory of everything else.
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
 * <p>Creating a client does no I/O, so an application starts while its store is down. The first use is bounded by its
 * own deadline. Keep one client for each store and process. Thread-safe.
 */
public final class Interlock implements AutoCloseable {

    private final Engine engine;
    private final String namePrefix;
    private final LockOptions defaults;
    private final EngineConfig config;

    /** Null until they are used; closed with the client. The monitor guards it, and {@code closed}. */
    private ElectionProvider.@Nullable Elections elections;

    private boolean closed;

    Interlock(Engine engine, String namePrefix, LockOptions defaults, EngineConfig config) {
        this.engine = engine;
        this.namePrefix = namePrefix;
        this.defaults = defaults;
        this.config = config;
    }

    /**
     * Creates a client of the store at this URI, with default settings.
     *
     * @param uri the store's URI; its scheme selects the store
     * @return the client
     * @throws IllegalArgumentException if the URI is malformed, or no store on the class path knows its scheme
     * @throws IllegalStateException if the store needs something that is not on the class path, for example a JDBC
     *     driver
     */
    public static Interlock connect(String uri) {
        return builder(uri).build();
    }

    /**
     * {@return a builder of a client of the store at this URI} Throws like {@link #connect(String)}.
     *
     * @param uri the store's URI; its scheme selects the store
     */
    public static InterlockBuilder builder(String uri) {
        return builder(LockStoreProvider.open(uri));
    }

    /**
     * {@return a builder of a client of this store} A store object has one client, which receives its wakes. Closing
     * the client closes the store.
     *
     * @param store the store
     */
    public static InterlockBuilder builder(LockStore store) {
        return new InterlockBuilder(Objects.requireNonNull(store, "store"));
    }

    /**
     * Creates a client of a new store in this process: for tests, and for programs that may run without a server. The
     * same as {@code connect("memory:")}.
     *
     * @return the client
     * @throws IllegalStateException if {@code interlock-memory} is not on the class path
     */
    public static Interlock inMemory() {
        try {
            return connect("memory:");
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("The store in memory is not on the class path: add interlock-memory", e);
        }
    }

    /**
     * {@return what the client's store has, besides the plain lock} An adapter asks before it begins what it could not
     * end, such as a job whose lock is to be left to lapse. No I/O.
     */
    @SuppressWarnings("exports")
    public Set<Capability> capabilities() {
        return engine.capabilities();
    }

    /**
     * {@return the options of locks that are created without options, for all kinds together} An option that has no
     * effect on a kind is left out there, as by {@link LockOptions#forSemaphore()}.
     */
    public LockOptions lockOptions() {
        return defaults;
    }

    /**
     * {@return the lock of this name, with the client's default options}
     *
     * @param name any non-empty text of at most 512 bytes in UTF-8
     * @throws IllegalArgumentException if the name breaks a rule; the message says which
     */
    public DistributedLock lock(String name) {
        return lock(name, defaults);
    }

    /**
     * {@return the lock of this name, with these options} Throws like {@link #lock(String)}.
     *
     * @param name the name, as in {@link #lock(String)}
     * @param options the options of the lock
     */
    public DistributedLock lock(String name, LockOptions options) {
        return engine.lock(id(name, LockKind.LOCK), Objects.requireNonNull(options, "options"));
    }

    /**
     * {@return the lock of this name, with the client's default options and these changes of them}
     *
     * <pre>{@code DistributedLock orders = interlock.lock("orders", options -> options.fair(true));}</pre>
     *
     * @param name the name, as in {@link #lock(String)}
     * @param changes changes the options; called once, at once
     * @throws IllegalArgumentException if the name breaks a rule, or an option does
     */
    public DistributedLock lock(String name, Consumer<LockOptions.Builder> changes) {
        return lock(name, changed(defaults, changes));
    }

    /**
     * {@return the read/write lock of this name, with the client's default options} Throws like {@link #lock(String)}.
     *
     * @param name the name, as in {@link #lock(String)}
     */
    public DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, defaults.forReadWriteLock());
    }

    /**
     * {@return the read/write lock of this name, with these options} Throws like {@link #lock(String)}.
     *
     * @param name the name, as in {@link #lock(String)}
     * @param options the options of the lock
     * @throws IllegalArgumentException if an option has no effect on read/write locks: {@code fair}, {@code retained}
     */
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        LockId id = id(name, LockKind.READ_WRITE);
        OptionsOfKind.READ_WRITE_LOCK.check(Objects.requireNonNull(options, "options"));
        return engine.readWriteLock(id, options);
    }

    /**
     * {@return the read/write lock of this name, with the client's default options and these changes of them} Throws
     * like {@link #readWriteLock(String, LockOptions)}.
     *
     * @param name the name, as in {@link #lock(String)}
     * @param changes changes the options; called once, at once
     */
    public DistributedReadWriteLock readWriteLock(String name, Consumer<LockOptions.Builder> changes) {
        return readWriteLock(name, changed(defaults.forReadWriteLock(), changes));
    }

    /**
     * {@return the semaphore of this name, with the client's default options} Throws like {@link #lock(String)}.
     *
     * @param name the name, as in {@link #lock(String)}
     * @param capacity the number of permits, 1 or more, unless others have used the name before (not on ZooKeeper) or
     *     have resized it
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public DistributedSemaphore semaphore(String name, int capacity) {
        return semaphore(name, capacity, defaults.forSemaphore());
    }

    /**
     * {@return the semaphore of this name, with these options} Throws like {@link #semaphore(String, int)}.
     *
     * @param name the name, as in {@link #lock(String)}
     * @param capacity the number of permits, as in {@link #semaphore(String, int)}
     * @param options the options of the semaphore
     * @throws IllegalArgumentException if an option has no effect on semaphores: {@code reentrant},
     *     {@code forgetLostHolds}, {@code retained}, {@code onRevocationRequested}
     */
    public DistributedSemaphore semaphore(String name, int capacity, LockOptions options) {
        LockId id = id(name, LockKind.SEMAPHORE);
        OptionsOfKind.SEMAPHORE.check(Objects.requireNonNull(options, "options"));
        return engine.semaphore(id, capacity, options);
    }

    /**
     * {@return the semaphore of this name, with the client's default options and these changes of them} Throws like
     * {@link #semaphore(String, int, LockOptions)}.
     *
     * @param name the name, as in {@link #lock(String)}
     * @param capacity the number of permits, as in {@link #semaphore(String, int)}
     * @param changes changes the options; called once, at once
     */
    public DistributedSemaphore semaphore(String name, int capacity, Consumer<LockOptions.Builder> changes) {
        return semaphore(name, capacity, changed(defaults.forSemaphore(), changes));
    }

    /**
     * {@return the latch of this name} Throws like {@link #lock(String)}.
     *
     * @param name the name, as in {@link #lock(String)}
     */
    public DistributedLatch latch(String name) {
        return engine.latch(id(name, LockKind.LATCH));
    }

    /**
     * {@return the election of this name, with leases of the client's default options} Throws like
     * {@link #lock(String)}.
     *
     * @param name the name, as in {@link #lock(String)}; the leader holds the lock of this name
     * @throws IllegalStateException if {@code interlock-recipes}, which every store brings, is not on the class path
     */
    public LeaderElection election(String name) {
        return election(name, defaults.forElection());
    }

    /**
     * {@return the election of this name, with leases of these options} With {@link LeaseTerm#maxHold} a leadership
     * ends after that time, and another candidate gets its turn. With {@link LockOptions.Builder#lockDelay} nobody
     * leads for that time after a lease was lost. Throws like {@link #election(String)}.
     *
     * @param name the name, as in {@link #election(String)}
     * @param options the options: the term and the lock delay
     * @throws IllegalArgumentException if another option is given, as those have no effect on elections
     */
    public LeaderElection election(String name, LockOptions options) {
        String checked = id(name, LockKind.LOCK).name();
        OptionsOfKind.ELECTION.check(Objects.requireNonNull(options, "options"));
        return elections().election(checked, options);
    }

    /**
     * {@return the election of this name, with the client's default options and these changes of them} Throws like
     * {@link #election(String, LockOptions)}.
     *
     * @param name the name, as in {@link #election(String)}
     * @param changes changes the options; called once, at once
     */
    public LeaderElection election(String name, Consumer<LockOptions.Builder> changes) {
        return election(name, changed(defaults.forElection(), changes));
    }

    private static LockOptions changed(LockOptions from, Consumer<LockOptions.Builder> changes) {
        LockOptions.Builder options = from.toBuilder();
        Objects.requireNonNull(changes, "changes").accept(options);
        return options.build();
    }

    private synchronized ElectionProvider.Elections elections() {
        ElectionProvider.Elections present = elections;
        if (present == null) {
            present = ServiceLoader.load(ElectionProvider.class, Interlock.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "Leader election is not on the class path: add interlock-recipes"))
                    .open(this::lock, config.pollCap(), config.closeTimeout());
            elections = present;
            if (closed) {
                present.leave();
            }
        }
        return present;
    }

    /** {@return what operators do with the locks of this store} No I/O. */
    public LockAdministration administration() {
        return engine.administration(this::id);
    }

    /**
     * Ends candidacies, refuses new acquisitions, ends those that wait with {@link IllegalStateException}, releases
     * what is held, waits for the store's confirmation, and closes the store.
     *
     * <p>A lease that your threads hold is released at once, whatever they do under it: end that work before. Code that
     * Interlock itself runs under a lease keeps its lock: a leader's task or candidate, {@link DistributedLock#run},
     * and what adapters run. It gets the time to end, may acquire further locks on its own thread meanwhile, and keeps
     * those that this thread holds. If it does not end in time, or if it calls this method itself, its locks are not
     * given away: this method returns, a warning says which they are, and each stays locked until that code ends or the
     * lease runs out in the store. The store is closed then.
     *
     * <p>{@link InterlockBuilder#closeTimeout} bounds all of this together. Leaves no thread behind, except those on
     * which code of the user still runs, and, while leases are left to run out, those that watch them. Idempotent; a
     * second call does not wait for the first.
     */
    @Override
    public void close() {
        ElectionProvider.Elections present;
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
            present = elections;
        }
        if (present != null) {
            present.leave();
        }
        engine.close(present == null ? () -> true : present::haveLeft);
        if (first) {
            engine.closed();
        }
    }

    /** Checks the name, alone and with the prefix. */
    private LockId id(String name, LockKind kind) {
        LockId id = new LockId(Objects.requireNonNull(name, "name"), kind);
        if (!namePrefix.isEmpty()) {
            try {
                new LockId(namePrefix + name, kind);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "With the prefix of this client, '" + namePrefix + "', the name is not one: " + e.getMessage(),
                        e);
            }
        }
        return id;
    }
}
