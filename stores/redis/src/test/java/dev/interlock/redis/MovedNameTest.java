package dev.interlock.redis;

import dev.interlock.testkit.contract.lock.MovedNameContract;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MovedNameTest implements MovedNameContract {

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
    public int serverPort() {
        return server.port();
    }

    @Override
    public String uriAt(String host) {
        return "redis://" + host;
    }
}
