package dev.interlock.testkit.contract.lock;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * The rules of a lock that a store can break: exclusion and order between clients, fencing tokens, wakes, leases that
 * end by the store's clock, lost answers, sick connections, and what the threads and the I/O of the store's client can
 * do to a caller. They cover the invariants I1 to I9 of the design and the criteria P.. of known problems of lock
 * libraries. A store's test inherits this class and says how a client of the store is opened; a store that other
 * processes can open implements {@link ManyProcessesContract} besides.
 *
 * <p>A rule that the engine decides alone, whatever the store answers, is not here: it is tested once, on the store in
 * memory ({@code EngineSuite} of the module selftest).
 *
 * <p>The tests stand in the interfaces that this class implements. Those that bound elapsed time or a number of
 * requests have the tag {@link dev.interlock.testkit.Effort#TIMING}; all others assert an outcome, however slow the
 * machine is.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class DistributedLockContract extends LockSuite
        implements LockFormContract,
                InterruptContract,
                TimedContract,
                HandleContract,
                LeaseEndContract,
                ExtendContract,
                AsyncContract,
                AsyncReleaseContract,
                LapseLockContract,
                RetentionContract,
                EarlyReleaseContract,
                LockDelayContract,
                LossContract,
                OperatorContract,
                NamePrefixContract,
                RenewalContract,
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
