package dev.interlock.testkit.contract.lock;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * What callbacks may do, of the contract of locks that part alone: for a store in a setting in which a callback that
 * locks might stand in its own way.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LockCallbackContract extends LockSuite implements CallbackContract {

    /** None of its tests is one of mass. */
    @Override
    protected final int scale() {
        return 1;
    }
}
