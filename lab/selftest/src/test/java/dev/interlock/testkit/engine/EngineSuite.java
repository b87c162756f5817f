package dev.interlock.testkit.engine;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.kind.KindsContract;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.contract.lock.LockSuite;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import dev.interlock.testkit.contract.store.LockStoreContract;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * The rules of locks that the engine decides, whatever a store answers: arguments, re-entry, threads, terms, the order
 * of callbacks, time-outs, and how many requests are sent. A store that keeps {@link LockStoreContract} cannot break
 * them, so they run once, on the store in memory. Rules that a store can break although each of its verbs is right are
 * in {@link DistributedLockContract}, {@link ReadWriteLockContract} and {@link KindsContract}, which every store
 * inherits: exclusion and order between clients, wakes, leases that end by the store's clock, lost answers, sick
 * connections, and threads or I/O of the store's client.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class EngineSuite extends LockSuite {

    /** Every test has names of its own. */
    private static final MemoryStore SHARED = new MemoryStore();

    @Override
    protected LockStore openStore() {
        return SHARED.session();
    }

    @Override
    protected int scale() {
        return 10_000;
    }
}
