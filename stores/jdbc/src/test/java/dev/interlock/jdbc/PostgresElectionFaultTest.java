package dev.interlock.jdbc;

import dev.interlock.testkit.contract.kind.ElectionFaultContract;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.PostgresServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Candidates on PostgreSQL. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresElectionFaultTest implements ElectionFaultContract {

    private static final String URL = PostgresServer.shared().newDatabase();

    @Override
    public FaultProxy proxy() {
        return FaultProxy.to("127.0.0.1", PostgresServer.shared().port());
    }

    @Override
    public String uri(@Nullable FaultProxy proxy) {
        return URL.replace(
                ":" + PostgresServer.shared().port() + "/",
                ":" + Objects.requireNonNull(proxy).port() + "/");
    }
}
