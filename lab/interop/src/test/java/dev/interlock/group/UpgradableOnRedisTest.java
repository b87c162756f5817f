package dev.interlock.group;

import dev.interlock.redis.RedisStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The upgradable lock on Redis. */
class UpgradableOnRedisTest extends UpgradableContract {

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
    LockStore openStore() {
        return RedisStore.at(server.uri());
    }
}
