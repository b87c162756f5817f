package dev.interlock.testkit.contract;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The Interlock clients of one test, and names that no other test uses. */
final class LockClients {

    private final Supplier<LockStore> opener;
    private final StoreClients raw;
    private final String run = UUID.randomUUID().toString().substring(0, 13);
    private final AtomicInteger names = new AtomicInteger();
    private final List<Interlock> open = new CopyOnWriteArrayList<>();

    /** Opens none yet. The store says who waits. */
    LockClients(Supplier<LockStore> opener) {
        this(opener, () -> true);
    }

    /**
     * Opens none yet.
     *
     * @param listsWaiters whether the store says who waits
     */
    LockClients(Supplier<LockStore> opener, BooleanSupplier listsWaiters) {
        this.opener = opener;
        this.raw = new StoreClients(opener, listsWaiters);
    }

    /** Another client, with default settings, as in another process. */
    Interlock open() {
        return open(builder -> builder);
    }

    /** Another client, with these settings. */
    Interlock open(UnaryOperator<InterlockBuilder> settings) {
        return open(opener.get(), settings);
    }

    /** A client of this store, which it closes. Its time-outs only guard against hanging, unless the settings say. */
    Interlock open(LockStore store, UnaryOperator<InterlockBuilder> settings) {
        InterlockBuilder patient = Interlock.builder(store)
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .closeTimeout(Patience.FULL);
        Interlock client = settings.apply(patient).build();
        open.add(client);
        return client;
    }

    /** Another client of the bare store, without an engine. */
    StoreClient raw() {
        return raw.open();
    }

    /** A store that no client has yet. */
    LockStore store() {
        return opener.get();
    }

    /** The name of a lock of its own. */
    String name() {
        return prefix() + names.incrementAndGet();
    }

    /** How the names of this test begin. */
    String prefix() {
        return "lock-" + run + "-";
    }

    void closeAll() {
        open.forEach(Interlock::close);
        open.clear();
        raw.closeAll();
    }
}
