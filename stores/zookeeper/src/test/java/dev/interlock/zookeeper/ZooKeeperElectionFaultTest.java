package dev.interlock.zookeeper;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.kind.ElectionFaultContract;
import dev.interlock.testkit.server.FaultProxy;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Candidates on ZooKeeper, where the session ends a leadership. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ZooKeeperElectionFaultTest implements ElectionFaultContract {

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private Duration session = Duration.ofSeconds(3);

    @BeforeEach
    void chooseSession(TestInfo test) {
        session = Duration.ofSeconds(test.getTags().contains(Effort.TIMING) ? 6 : 3);
    }

    @Override
    public FaultProxy proxy() {
        return FaultProxy.to(SERVER.server());
    }

    @Override
    public String uri(@Nullable FaultProxy proxy) {
        return "zk://127.0.0.1:" + Objects.requireNonNull(proxy).port() + "/elections?session=" + session;
    }
}
