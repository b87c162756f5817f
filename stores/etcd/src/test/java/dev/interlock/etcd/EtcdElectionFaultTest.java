package dev.interlock.etcd;

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

/** Candidates on etcd, where the session ends a leadership. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EtcdElectionFaultTest implements ElectionFaultContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    private Duration session = Duration.ofSeconds(3);

    @BeforeEach
    void chooseSession(TestInfo test) {
        session = Duration.ofSeconds(test.getTags().contains(Effort.TIMING) ? 6 : 3);
    }

    @Override
    public FaultProxy proxy() {
        String host = ETCD.server().host();
        int colon = host.lastIndexOf(':');
        return FaultProxy.to(host.substring(0, colon), Integer.parseInt(host.substring(colon + 1)));
    }

    @Override
    public String uri(@Nullable FaultProxy proxy) {
        return "etcd://127.0.0.1:" + Objects.requireNonNull(proxy).port() + "/elections?session=" + session;
    }
}
