package dev.interlock.testkit.contract.store;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.fixture.StoreClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * How a contract of stores learns of the store under test: a store's test says what differs from a store like the one
 * in memory.
 */
@ExtendWith(RepeatedWhenLate.class)
public abstract class StoreSuite implements StoreFixture {

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final StoreClients clients =
            new StoreClients(this::openStore, () -> new StoreClient.Waiting(listsWaiters(), wakes()));

    /** Opens another client of the same shared data, as another process would. The suite closes it. */
    protected abstract LockStore openStore();

    /**
     * Whether the store wakes who waits. One that does not must answer a busy acquire with a short time to ask again.
     */
    protected boolean wakes() {
        return true;
    }

    /** Whether {@code inspect} lists who waits. */
    protected boolean listsWaiters() {
        return true;
    }

    /**
     * Whether the store serves every claim in the order of arrival, whatever its mode and for how long it says that it
     * has waited.
     */
    protected boolean queues() {
        return false;
    }

    @Override
    public final StoreClients clients() {
        return clients;
    }

    @Override
    public final boolean storeWakes() {
        return wakes();
    }

    @Override
    public final boolean storeListsWaiters() {
        return listsWaiters();
    }

    @Override
    public final boolean storeQueues() {
        return queues();
    }

    @AfterEach
    public final void closeClients() {
        clients.closeAll();
    }
}
