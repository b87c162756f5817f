package dev.interlock.testkit.contract.lock;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * What users of a read/write lock rely on, whatever the store. A store's test inherits this class and says how a client
 * of the store is opened.
 *
 * <p>The tests stand in the interfaces that this class implements.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ReadWriteLockContract extends LockSuite
        implements ReadWriteExclusionContract, NestingContract, ReadWriteOrderContract, ReadWriteTermContract {
    /** How many operations the tests of mass do in short effort. */
    @Override
    protected int scale() {
        return 2_000;
    }
}
