package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.kind.KindsContract;
import dev.interlock.testkit.server.RedisSentinels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Fair locks, semaphores and latches on a master that Sentinels name keep their contracts; see
 * {@link SentinelLockContractTest}.
 */
@Tag("server")
@Tag("drivers")
@Tag("long")
@Tag(Effort.SCALED)
class SentinelKindsContractTest extends KindsContract {

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
