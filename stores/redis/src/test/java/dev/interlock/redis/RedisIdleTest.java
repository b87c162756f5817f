package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Idle costs on Redis. */
class RedisIdleTest extends IdleCostContract {

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
    protected int serverPort() {
        return server.port();
    }

    @Override
    protected LockStore openStore(int port) {
        return RedisStore.at(server.uriAt(port));
    }

    /** Each verb is a script, so one command. Signs of life are the operating system's, which a proxy does not see. */
    @Override
    protected Prices prices() {
        return new Prices(Prices.woken(Duration.ofSeconds(1)), 1, 1, 1, 0);
    }
}
