package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.ReadWriteStoreContract;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Claims of read/write locks on Redis are granted and refused as the contract says. */
@Tag("server")
@Tag("drivers")
class RedisReadWriteStoreContractTest extends ReadWriteStoreContract {

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
