package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Withdrawable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which renewals the engine gives up: those that a member has got, and has not answered in time. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RenewalTurnTest {

    /** Otherwise the engine would wait for a member that is silent as long as others answer, and not ask these. */
    @Test
    void renewalThatIsSent_doesNotWaitForItsTurn() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                EtcdStore store = EtcdStore.at("etcd://127.0.0.1:" + silent.getLocalPort())) {
            Claim claim = Claim.of(LockId.lock("n"), new OwnerId("owner"), Duration.ofSeconds(30), Party.UNKNOWN);
            CompletableFuture<Map<Claim, Renewal>> answer =
                    store.renew(List.of(claim)).toCompletableFuture();

            await().until(() -> !((Withdrawable) answer).isInLine());

            assertThat(answer).isNotDone();
        }
    }
}
