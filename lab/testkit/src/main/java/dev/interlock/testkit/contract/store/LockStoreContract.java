package dev.interlock.testkit.contract.store;

import dev.interlock.spi.LockStore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * What every store does, verb by verb, without an engine: a store's test inherits this class and says how a client of
 * the store is opened.
 *
 * <p>The tests stand in the interfaces that this class implements, one for each part of {@link LockStore}'s contract.
 * They run against shared data that other tests may use at the same time: every test has names of its own.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LockStoreContract extends StoreSuite
        implements AcquireContract,
                ReleaseContract,
                LapseContract,
                WaitingContract,
                ReplacingContract,
                RenewContract,
                ExpiryContract,
                InspectContract,
                NamesContract,
                CatalogContract,
                LifecycleContract,
                ExclusionContract {}
