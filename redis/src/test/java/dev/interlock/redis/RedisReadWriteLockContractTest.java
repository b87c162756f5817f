package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.ReadWriteLockContract;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Read/write locks on Redis keep their contract, in the layout of Redisson. */
class RedisReadWriteLockContractTest extends ReadWriteLockContract {

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
