package dev.interlock.testkit.contract.store;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * What a store does that has read/write locks, verb by verb, without an engine: claims that share, the order between
 * those that share and those that do not, and the claim that turns from exclusive into shared. A store's test inherits
 * this class and says how a client of the store is opened; it keeps {@link LockStoreContract} besides.
 *
 * <p>The tests stand in the interfaces that this class implements. They run against shared data that other tests may
 * use at the same time: every test has names of its own.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ReadWriteStoreContract extends StoreSuite
        implements SharingContract, ShareEndContract, ConversionContract {}
