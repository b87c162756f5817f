package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Redis does as the model of claims that are in order. */
class RedisClaimModelTest extends ClaimModelContract {

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(server.uri());
    }

    @Override
    protected boolean releaseGrants() {
        return true;
    }

    /** Each step is some round trips, and a message for each claim that it lets hold. */
    @Override
    protected int steps() {
        return Effort.pick(600, 20_000);
    }

    @Override
    protected int stepsOfAWalk() {
        return Effort.pick(100, 200);
    }
}
