package dev.interlock.spring.integration;

import dev.interlock.redis.RedisStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The registry on Redis. */
@Tag("long")
class RedisRegistryTest extends RegistryContract {

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
