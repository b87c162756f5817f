package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.server.RedisSentinels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Locks on a master that Sentinels name keep the contract of locks. Where the store is connected, it is a single
 * server: the default build leaves this out.
 */
@Tag("server")
@Tag("drivers")
@Tag("long")
@Tag(Effort.SCALED)
class SentinelLockContractTest extends DistributedLockContract {

    private static RedisSentinels sentinels;

    @BeforeAll
    static void startServers() {
        sentinels = RedisSentinels.start();
    }

    @AfterAll
    static void stopServers() {
        sentinels.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(sentinels.uri());
    }
}
