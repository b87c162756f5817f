package dev.interlock.testkit.contract;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The clients of one test, and names that no other test uses. */
final class StoreClients {

    private final Supplier<LockStore> opener;
    private final BooleanSupplier listsWaiters;
    private final String run = UUID.randomUUID().toString().substring(0, 13);
    private final List<StoreClient> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger names = new AtomicInteger();

    /**
     * Opens none yet.
     *
     * @param listsWaiters whether the store says who waits
     */
    StoreClients(Supplier<LockStore> opener, BooleanSupplier listsWaiters) {
        this.opener = opener;
        this.listsWaiters = listsWaiters;
    }

    StoreClient open() {
        StoreClient client = new StoreClient(opener.get(), listsWaiters.getAsBoolean());
        open.add(client);
        return client;
    }

    /** A lock of its own. */
    LockId lock() {
        return LockId.lock(unique("contract:"));
    }

    /** A name that begins with this text, and is nobody else's. */
    String unique(String beginning) {
        return beginning + run + "-" + names.incrementAndGet();
    }

    void closeAll() {
        open.forEach(StoreClient::close);
        open.clear();
    }
}
