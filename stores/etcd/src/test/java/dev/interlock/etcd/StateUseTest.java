package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.fixture.StoreClients;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The count of a latch lives for a day from its last use: a claim that waits uses it now and then, not at each poll.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StateUseTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    /** The session's own signs of life are a minute apart. */
    private static final String SIGNS_OF_LIFE = "grpc_server_started_total{grpc_method=\"LeaseKeepAlive\","
            + "grpc_service=\"etcdserverpb.Lease\",grpc_type=\"bidi_stream\"}";

    private static final int POLLS = 50;

    private final StoreClients clients = new StoreClients(ETCD::over, () -> new StoreClient.Waiting(true, true));

    @AfterEach
    void close() {
        clients.closeAll();
    }

    @Test
    void claimThatPolls_prolongsTheCountOnce() {
        LockId latch = new LockId("state-use", LockKind.LATCH);
        StoreClient counter = clients.open();
        StoreClient waiter = clients.open();
        counter.executed(counter.command(latch, new Command.SetCount(1)));
        Claim zero = waiter.claim(latch).inMode(new Mode.AwaitZero()).waiting(Duration.ZERO);
        long before = ETCD.server().metric(SIGNS_OF_LIFE);
        waiter.busy(zero);
        await("the first use").until(() -> ETCD.server().metric(SIGNS_OF_LIFE) > before);

        for (int i = 0; i < POLLS; i++) {
            waiter.busy(zero);
        }

        // A sign of life of a session, and a use whose answer was late.
        assertThat(ETCD.server().metric(SIGNS_OF_LIFE) - before).isLessThan(POLLS / 2);
        counter.executed(counter.command(latch, new Command.CountDown()));
    }
}
