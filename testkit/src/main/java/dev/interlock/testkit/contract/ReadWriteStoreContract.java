package dev.interlock.testkit.contract;

import dev.interlock.spi.LockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What a store does that has read/write locks, verb by verb, without an engine: claims that share, the order between those that share and those that do not,
 * and the claim that turns from exclusive into shared. A store's test inherits this class and says how a client of the store is opened; it keeps
 * {@link LockStoreContract} besides.
 *
 * <p>The tests stand in the interfaces that this class implements. They run against shared data that other tests may use at the same time: every test has names
 * of its own.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ReadWriteStoreContract implements SharingContract, ShareEndContract, ConversionContract {

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final StoreClients clients = new StoreClients(this::openStore);

    /** Opens another client of the same shared data, as another process would. The suite closes it. */
    protected abstract LockStore openStore();

    /** Whether the store wakes who waits. */
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
