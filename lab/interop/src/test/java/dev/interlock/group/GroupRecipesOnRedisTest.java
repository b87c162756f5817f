package dev.interlock.group;

import dev.interlock.redis.RedisStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The table of groups and upgrades on Redis. */
class GroupRecipesOnRedisTest extends GroupRecipesContract {

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
}
