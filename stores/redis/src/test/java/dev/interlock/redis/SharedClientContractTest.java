package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The store keeps the contract on the application's own client. */
@Tag("server")
@Tag("drivers")
@Tag("wide")
class SharedClientContractTest extends LockStoreContract {

    private static RedisServer server;
    private static RedisClient client;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
        client = RedisClient.create(server.uri());
    }

    @AfterAll
    static void stopServer() {
        client.shutdown();
        server.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.over(client);
    }
}
