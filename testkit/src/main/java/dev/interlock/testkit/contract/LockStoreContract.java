package dev.interlock.testkit.contract;

import dev.interlock.spi.LockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every store does, verb by verb, without an engine: a store's test inherits this class and says how a client of the store is opened.
 *
 * <p>The tests stand in the interfaces that this class implements, one for each part of {@link LockStore}'s contract. They run against shared data that other
 * tests may use at the same time: every test has names of its own.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LockStoreContract
        implements AcquireContract,
                ReleaseContract,
                WaitingContract,
                ReplacingContract,
                RenewContract,
                ExpiryContract,
                InspectContract,
                NamesContract,
                CatalogContract,
                LifecycleContract,
                ExclusionContract {

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final StoreClients clients = new StoreClients(this::openStore);

    /** Opens another client of the same shared data, as another process would. The suite closes it. */
    protected abstract LockStore openStore();

    /** Whether the store wakes who waits. One that does not must answer a busy acquire with a short time to ask again. */
    protected boolean wakes() {
        return true;
    }

    /** Whether {@code inspect} lists who waits. */
    protected boolean listsWaiters() {
        return true;
    }

    /** Whether the store serves every claim in the order of arrival, whatever its mode and for how long it says that it has waited. */
    protected boolean queues() {
        return false;
    }

    @Override
    public final boolean storeQueues() {
        return queues();
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

    @AfterEach
    final void closeClients() {
        clients.closeAll();
    }
}
