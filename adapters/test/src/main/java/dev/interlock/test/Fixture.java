package dev.interlock.test;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.LockAdministration;
import dev.interlock.LockLostException;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store, the clock and the clients of one test. Thread-safe. */
final class Fixture implements AutoCloseable {

    static final String MEMORY = "memory:";

    /** How long a call waits while the store says nothing: it answers at once in memory, unless the test says else. */
    static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(200);

    /** How long a call waits on a real store, where a lease may have to run out before: its clock cannot be moved. */
    private static final Duration PATIENCE_WITH_REAL_TIME = Duration.ofMinutes(5);

    /** Code on other threads may be about to release. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    /** Threads that the test starts have it, too. */
    private static final InheritableThreadLocal<Fixture> CURRENT = new InheritableThreadLocal<>();

    private final boolean inMemory;
    private final Supplier<LockStore> sessions;
    private final String prefix;
    private final TestClock clock;
    private final TestStore store;
    private final Locks locks;
    private final Interlock others;
    private final List<ControlledStore> stores = new CopyOnWriteArrayList<>();
    private final List<Interlock> clients = new CopyOnWriteArrayList<>();
    private @Nullable Interlock first;
    private volatile boolean over;

    private Fixture(@Nullable String uri, String prefix) {
        this.inMemory = uri == null;
        this.prefix = prefix;
        this.clock = new TestClock(inMemory);
        this.store = new TestStore(clock);
        if (uri == null) {
            MemoryStore memory = new MemoryStore(clock::nanos);
            this.sessions = memory::session;
        } else {
            this.sessions = () -> LockStoreProvider.open(uri);
        }
        this.others = Interlock.builder(sessions.get())
                .application("somebody else")
                .namePrefix(prefix)
                .clock(clock.client())
                .build();
        this.locks = new Locks(
                clock, store, prefix, others, this::open, stores, inMemory ? Bounded.LIMIT : PATIENCE_WITH_REAL_TIME);
    }

    /** With a store in memory of its own. */
    static Fixture inMemory(String prefix) {
        return new Fixture(null, prefix);
    }

    /** With the store of this URI, in which its names are nobody else's. */
    static Fixture of(String uri) {
        return uri.strip().equals(MEMORY) ? inMemory("") : new Fixture(uri, "test-" + UUID.randomUUID() + ":");
    }

    TestClock clock() {
        return clock;
    }

    TestStore store() {
        return store;
    }

    Locks locks() {
        return locks;
    }

    /** The client of the test, which is opened when it is first wanted. */
    synchronized Interlock interlock() {
        Interlock present = first;
        if (present == null) {
            present = open();
            first = present;
        }
        return present;
    }

    /** Takes the client of the application as that of its tests. */
    synchronized void use(Interlock client) {
        first = client;
    }

    /** Whether this is the client of the application that it has been given. */
    synchronized boolean uses(Interlock client) {
        return client == first;
    }

    private Interlock open() {
        InterlockBuilder builder = Interlock.builder(newStore()).namePrefix(prefix);
        if (inMemory) {
            builder.storeTimeout(STORE_TIMEOUT).attemptTimeout(ATTEMPT_TIMEOUT);
        }
        Interlock client = prepared(builder).build();
        clients.add(client);
        return client;
    }

    /** A store for one more client under test. */
    LockStore newStore() {
        ControlledStore session = new ControlledStore(sessions.get(), store);
        stores.add(session);
        return session;
    }

    /** Has the client go by the clock, and be watched. */
    InterlockBuilder prepared(InterlockBuilder builder) {
        return builder.clock(clock.client()).observer(locks.ledger());
    }

    /**
     * That of the test that runs on this thread.
     *
     * @throws IllegalStateException if there is none
     */
    static Fixture current() {
        Fixture current = CURRENT.get();
        if (current == null || current.over) {
            throw new IllegalStateException("No test with @InterlockTest runs on thread '"
                    + Thread.currentThread().getName() + "': on threads that are older than the test, and without the"
                    + " annotation, name the locks, as in assertThatLock(locks, \"orders\")");
        }
        return current;
    }

    /** A test begins on this thread. */
    void begin() {
        locks.ledger().begin();
        CURRENT.set(this);
    }

    /** A test has ended on this thread; fails if it has left anything. The clients live on. */
    void end() {
        CURRENT.remove();
        try {
            locks.checkActions();
            locks.checkNothingLeft(MOMENT);
        } finally {
            locks.reset();
            letGo();
            locks.endAll();
            if (inMemory) {
                removeWhatLapses();
            }
        }
    }

    /**
     * Releases what this thread has left, as its own code would: a claim that is ended by force would be reported as
     * lost to the next test on this thread.
     */
    private void letGo() {
        for (String name : locks.ledger().namesOfThisThread()) {
            for (Interlock client : clientsUnderTest()) {
                DistributedReadWriteLock both = client.readWriteLock(name);
                Stream.of(client.lock(name), both.readLock(), both.writeLock()).forEach(Fixture::letGo);
            }
        }
    }

    private static void letGo(DistributedLock lock) {
        while (lock.holdCount() > 0) {
            try {
                lock.unlock();
            } catch (LockLostException e) {
                // The test knows it, or has failed by it.
            }
        }
    }

    private synchronized Set<Interlock> clientsUnderTest() {
        Set<Interlock> all = new HashSet<>(clients);
        if (first != null) {
            all.add(first);
        }
        return all;
    }

    /** Nobody holds it, so the next test would find it held by somebody who is not there. */
    private void removeWhatLapses() {
        LockAdministration administration = others.administration();
        for (LockStatus status : administration.list("", Integer.MAX_VALUE)) {
            List<LockStatus.Holder> left =
                    status.holders().stream().filter(LockStatus.Holder::isLeft).toList();
            administration.forceUnlock(new LockStatus(status.name(), status.kind(), left, List.of(), status.count()));
        }
    }

    @Override
    public void close() {
        over = true;
        store.answer();
        clients.forEach(Interlock::close);
        others.close();
    }

    @Override
    public String toString() {
        return "Fixture[prefix=" + prefix + ", inMemory=" + inMemory + "]";
    }
}
