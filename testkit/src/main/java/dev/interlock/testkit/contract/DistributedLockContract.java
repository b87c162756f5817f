package dev.interlock.testkit.contract;

import org.junit.jupiter.api.Timeout;

/**
 * What users of a lock rely on, whatever the store: every method of {@code DistributedLock} and {@code Lease}, the
 * invariants I1 to I9 of the design, and the criteria P.. of known problems of lock libraries. A store's test inherits
 * this class and says how a client of the store is opened; a store that other processes can open implements
 * {@link ManyProcessesContract} besides.
 *
 * <p>The tests stand in the interfaces that this class implements. Bounds of elapsed time leave out what the machine
 * did not run at all.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class DistributedLockContract extends LockSuite
        implements LockFormContract,
                ReentryContract,
                InterruptContract,
                TimedContract,
                HandleContract,
                LeaseEndContract,
                ExtendContract,
                AsyncContract,
                AsyncReleaseContract,
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
    /**
     * How many names the tests of mass use in short effort: some seconds of acquisitions and releases, one after the
     * other.
     */
    @Override
    protected int scale() {
        return 10_000;
    }
}
