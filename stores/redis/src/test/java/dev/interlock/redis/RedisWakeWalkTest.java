package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.WakeWalkContract;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims that wait on Redis keep the contract of wakes. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RedisWakeWalkTest implements WakeWalkContract {

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
    public LockStore openAt(int port) {
        return RedisStore.at(server.uriAt(port));
    }

    /** A claim that asks subscribes again. */
    @Override
    public boolean watchesAgain() {
        return false;
    }

    @Override
    public boolean isHeard(FaultProxy proxy) {
        String subscribers = server.command("CLIENT", "LIST", "TYPE", "pubsub");
        return proxy.serverSidePorts().stream().anyMatch(port -> subscribers.contains(" addr=127.0.0.1:" + port + " "));
    }

    @Tag("wide")
    @Test
    void P11_connectionCutAgainBeforeAnyRequest_theReleaseWakes() {
        requestsLostAfterACut();
    }
}
