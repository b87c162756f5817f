package dev.interlock.mongodb;

import dev.interlock.testkit.contract.kind.ElectionFaultContract;
import dev.interlock.testkit.server.FaultProxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Candidates on MongoDB. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JavaServerMongoElectionFaultTest implements ElectionFaultContract {

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.startApart();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    public FaultProxy proxy() {
        return FaultProxy.to("127.0.0.1", mongo.port());
    }

    @Override
    public String uri(@Nullable FaultProxy proxy) {
        return mongo.uriAt(Objects.requireNonNull(proxy).port());
    }
}
