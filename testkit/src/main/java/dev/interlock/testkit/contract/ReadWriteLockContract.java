package dev.interlock.testkit.contract;

import dev.interlock.spi.LockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What users of a read/write lock rely on, whatever the store. A store's test inherits this class and says how a client of the store is opened.
 *
 * <p>The tests stand in the interfaces that this class implements.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ReadWriteLockContract
        implements ReadWriteExclusionContract, NestingContract, ReadWriteOrderContract, ReadWriteTermContract {

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final LockClients clients = new LockClients(this::openStore);

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

    /** How many operations the tests of mass do in short effort. */
    protected int scale() {
        return 2_000;
    }

    /** Opens another client, whose connection can be made sick. By default its faults are inside this process. */
    protected FaultyStore openFaultyStore() {
        return FaultyStore.around(openStore());
    }

    @Override
    public final LockClients clients() {
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
    public final int storeScale() {
        return scale();
    }

    @Override
    public final FaultyStore faultyStore() {
        return openFaultyStore();
    }

    @AfterEach
    final void closeClients() {
        clients.closeAll();
    }
}
