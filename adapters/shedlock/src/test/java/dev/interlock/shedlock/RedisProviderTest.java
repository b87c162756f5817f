package dev.interlock.shedlock;

import dev.interlock.redis.RedisStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The provider on Redis. */
class RedisProviderTest extends LeavingProviderContract {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    LockStore openStore() {
        return RedisStore.at(server.uri());
    }
}
