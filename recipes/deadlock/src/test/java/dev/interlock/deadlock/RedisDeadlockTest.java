package dev.interlock.deadlock;

import dev.interlock.redis.RedisStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Deadlocks between clients of one Redis server. */
class RedisDeadlockTest extends DeadlockContract {

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
