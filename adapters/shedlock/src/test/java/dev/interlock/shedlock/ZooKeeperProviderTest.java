package dev.interlock.shedlock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.zookeeper.ZooKeeperStore;
import java.time.Duration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The provider on ZooKeeper. */
@Tag("long")
class ZooKeeperProviderTest extends LockProviderContract {

    private static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    LockStore openStore() {
        return ZooKeeperStore.at(server.uri());
    }

    @Test
    void lockAtLeastFor_isRefused_beforeTheTaskRuns() throws Exception {
        assertThatThrownBy(() -> locked(Duration.ofMinutes(10), Duration.ofMinutes(5)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lockAtLeastFor")
                .hasMessageContaining(name);
        assertUnlocked();
        SimpleLock lock = locked(Duration.ofMinutes(10), Duration.ZERO);
        assertThatThrownBy(() -> lock.extend(Duration.ofMinutes(10), Duration.ofMinutes(5)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lockAtLeastFor");
        lock.unlock();
    }
}
