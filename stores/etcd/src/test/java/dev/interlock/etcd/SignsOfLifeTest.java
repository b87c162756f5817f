package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** etcd ends a connection on which signs of life are asked for too often. */
@Tag("wide")
@Tag(Effort.MINUTES)
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SignsOfLifeTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    /** gRPC asks after ten seconds without an answer, and then every ten seconds. */
    private static final Duration TWO_SIGNS = Duration.ofSeconds(25);

    /**
     * It sends nothing: without a request etcd permits one sign of life in two hours, and ends the connection at the
     * fourth that comes earlier.
     */
    @Test
    void clientThatNobodyUses_asksForNone() throws Exception {
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", ETCD.server().port());
                Interlock client = Interlock.connect("etcd://127.0.0.1:" + proxy.port() + "/interlock?session=2s")) {
            client.lock("idle").acquire().close();
            AtomicLong sent = new AtomicLong();

            // The session ends first, as nobody needs it.
            await().atMost(Patience.limit()).during(TWO_SIGNS).until(() -> {
                long now = proxy.forwardedBytes(Direction.TO_SERVER);
                return now == sent.getAndSet(now);
            });

            assertThat(sent.get()).isPositive();
        }
    }
}
