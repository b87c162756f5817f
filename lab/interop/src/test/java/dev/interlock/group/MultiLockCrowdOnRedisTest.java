package dev.interlock.group;

import dev.interlock.redis.RedisStoreProvider;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A crowd on Redis, each with a connection of its own. */
@Tag("wide")
class MultiLockCrowdOnRedisTest extends MultiLockCrowdContract {

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
        return new RedisStoreProvider().create(server.uri());
    }

    @Override
    int clientCount() {
        return 100;
    }

    @Override
    int rounds() {
        return Effort.pick(1, 20);
    }
}
