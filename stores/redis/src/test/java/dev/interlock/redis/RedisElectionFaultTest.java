package dev.interlock.redis;

import dev.interlock.testkit.contract.kind.ElectionFaultContract;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Candidates on Redis. */
@Tag("some")
@Tag("server")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class RedisElectionFaultTest implements ElectionFaultContract {

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
    public FaultProxy proxy() {
        return FaultProxy.to(server);
    }

    @Override
    public String uri(@Nullable FaultProxy proxy) {
        return server.uriAt(Objects.requireNonNull(proxy).port());
    }
}
