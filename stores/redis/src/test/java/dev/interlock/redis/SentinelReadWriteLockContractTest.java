package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import dev.interlock.testkit.server.RedisSentinels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Read/write locks on a master that Sentinels name keep their contract; see {@link SentinelLockContractTest}. */
@Tag("server")
@Tag("drivers")
@Tag("long")
@Tag(Effort.SCALED)
class SentinelReadWriteLockContractTest extends ReadWriteLockContract {

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
