package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Attempt;
import dev.interlock.testkit.server.ZooKeeperServer;
import org.junit.jupiter.api.Test;

/** The end of a server's transactions, whose numbers are fences: none is larger that a token can be made of. */
class LargestFenceTest {

    @Test
    void P07_behindTheLargestFence_everyGrantIsRefused() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Interlock client =
                        TestServer.patient(ZooKeeperStore.at(server.uri() + "?session=" + TestServer.LONG_SESSION))) {
            Lease small = client.lock("small").acquire();
            server.zxid(Attempt.LARGEST_FENCE - 1_000_000);
            Lease large = client.lock("large").acquire();
            assertThat(large.token()).isGreaterThan(small.token());
            server.zxid(Attempt.LARGEST_FENCE);

            for (String name : new String[] {"small-2", "large-2"}) {
                assertThatThrownBy(() -> client.lock(name).acquire())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'" + name + "'")
                        .hasMessageContaining("fence=");
                assertThat(client.administration().inspect(name)).noneMatch(LockStatus::isLocked);
            }
            assertThat(small.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(large.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
