package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes below the store's path that somebody else has made or deleted. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileNodesTest {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    private Interlock client;

    @BeforeEach
    void open() {
        client = TestServer.patient(ZooKeeperStore.over(SERVER.client()));
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static void make(String path, String data) throws Exception {
        SERVER.client().create().creatingParentsIfNeeded().forPath(path, data.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void unreadableLatch_isAnErrorOfItsNameAlone() throws Exception {
        make("/hostile-2/count", "rubbish");
        client.lock("hostile-1").acquire();
        client.semaphore("hostile-3", 1).acquire();

        assertThat(client.administration().list("hostile-", 10))
                .extracting(LockStatus::name)
                .containsExactly("hostile-1", "hostile-3");

        assertThatThrownBy(() -> client.latch("hostile-2").inspect())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("path=/hostile-2/count");
        assertThatThrownBy(() -> client.administration().inspect("hostile-2"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("path=/hostile-2/count");
        SERVER.client().delete().forPath("/hostile-2/count");
    }

    /** A latch at zero, as one of its two nodes is missing. */
    @Test
    void latchWithoutItsCount_isSetAnew() throws Exception {
        DistributedLatch latch = client.latch("gate-only");
        make("/gate-only/gate", "");

        assertThat(latch.trySetCount(1)).isTrue();

        assertThat(latch.inspect().count()).isEqualTo(1);
        latch.countDown();
        assertThat(SERVER.children("/gate-only")).isEmpty();
    }

    @Test
    void latchWithoutItsGate_isCountedDown() throws Exception {
        DistributedLatch latch = client.latch("count-only");
        latch.trySetCount(1);
        SERVER.client().delete().forPath("/count-only/gate");

        latch.countDown();

        assertThat(SERVER.children("/count-only")).isEmpty();
    }
}
