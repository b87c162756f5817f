package dev.interlock.testkit.contract;

import dev.interlock.spi.LockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What users of a lock rely on, whatever the store: every method of {@code DistributedLock} and {@code Lease}, the invariants I1 to I9 of the design, and the
 * criteria P.. of known problems of lock libraries. A store's test inherits this class and says how a client of the store is opened; a store that other
 * processes can open implements {@link ManyProcessesContract} besides.
 *
 * <p>The tests stand in the interfaces that this class implements. Bounds of elapsed time leave out what the machine did not run at all.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class DistributedLockContract
        implements LockFormContract,
                ReentryContract,
                InterruptContract,
                TimedContract,
                HandleContract,
                LeaseEndContract,
                ExtendContract,
                AsyncContract,
                ParityContract,
                LossContract,
                OperatorContract,
                RenewalContract,
                LeaseTermContract,
                LocalQueueContract,
                HandOverContract,
                ContentionContract,
                SickStoreContract,
                UnknownOutcomeContract,
                CallbackContract,
                CloseContract,
                GuestContract,
                MassContract {

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

    /** How many names the tests of mass use in short effort: some seconds of acquisitions and releases, one after the other. */
    protected int scale() {
        return 10_000;
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
