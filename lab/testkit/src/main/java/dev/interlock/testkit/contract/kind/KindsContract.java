package dev.interlock.testkit.contract.kind;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fixture.LockClients;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What users of the further kinds of lock rely on: the fair lock, the semaphore, the latch, the election and the
 * barriers. The test of a store that has them inherits this class and says how a client of the store is opened.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class KindsContract
        implements FairContract,
                SemaphoreContract,
                LatchContract,
                ElectionContract,
                ClosingContract,
                BarrierContract,
                DoubleBarrierContract {

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final LockClients clients = new LockClients(this::openStore);

    /** Opens another client of the same shared data, as another process would. The suite closes it. */
    protected abstract LockStore openStore();

    @Override
    public final LockClients clients() {
        return clients;
    }

    @AfterEach
    final void closeClients() {
        clients.closeAll();
    }
}
