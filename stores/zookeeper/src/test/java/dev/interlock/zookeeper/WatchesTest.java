package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Nothing is left in this process of claims that have waited in vain, although the node that they waited for still
 * exists (I6).
 */
class WatchesTest {

    private static final int TRIES = 20;

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private CuratorFramework client;
    private Probe probe;
    private Probe other;

    @BeforeEach
    void connect() {
        client = SERVER.another(TestServer.LONG_SESSION);
        probe = new Probe(ZooKeeperStore.over(client)).connected();
        other = SERVER.probe();
    }

    @AfterEach
    void close() {
        probe.close();
        other.close();
        client.close();
    }

    @Test
    void ofALock() throws Exception {
        other.granted(other.claim("lock"));

        nothingIsLeft(LockId.lock("lock"), Mode.exclusive());
    }

    @Test
    void ofPermits() throws Exception {
        LockId id = new LockId("permits", LockKind.SEMAPHORE);
        other.granted(other.claim(id, new Mode.Permits(1, 1)));

        nothingIsLeft(id, new Mode.Permits(1, 1));
    }

    @Test
    void ofALatch() throws Exception {
        LockId id = new LockId("latch", LockKind.LATCH);
        other.executed(other.command(id, new Command.SetCount(1)));

        nothingIsLeft(id, new Mode.AwaitZero());
    }

    /** Neither of the node that keeps it waiting, nor of the one that may never exist. */
    @Test
    void ofBarriers() throws Exception {
        ZooKeeperStore store = (ZooKeeperStore) probe.store;
        store.curatorBarrier("barrier").set();
        for (int i = 0; i < TRIES; i++) {
            assertThat(store.curatorBarrier("barrier").await(Duration.ZERO)).isFalse();
            assertThatThrownBy(() -> store.curatorDoubleBarrier("double", 2).enter(Duration.ZERO))
                    .isInstanceOf(TimeoutException.class);
        }

        await().untilAsserted(() ->
                assertThat(watchers("/barrier") + watchers("/double")).isZero());
    }

    private void nothingIsLeft(LockId id, Mode wanted) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            Claim claim = probe.claim(id, wanted).waiting(Duration.ZERO);
            probe.busy(claim);
            probe.release(claim);
        }

        // One for all, for what is in the way: it goes with that.
        await().untilAsserted(() -> assertThat(watchers("/" + id.name())).isEqualTo(1));
        assertThat(probe.woken).isEmpty();
    }

    /** How many the client would call for nodes below this one. */
    private long watchers(String path) throws Exception {
        Object manager = call(client.getZookeeperClient().getZooKeeper(), ZooKeeper.class, "getWatchManager");
        long sum = 0;
        for (String kind : List.of("getDataWatches", "getExistWatches", "getChildWatches")) {
            Map<?, ?> watches = (Map<?, ?>) call(manager, manager.getClass(), kind);
            sum += watches.entrySet().stream()
                    .filter(each -> String.valueOf(each.getKey()).startsWith(path))
                    .mapToInt(each -> ((Collection<?>) each.getValue()).size())
                    .sum();
        }
        return sum;
    }

    private static Object call(Object of, Class<?> type, String method) throws Exception {
        Method called = type.getDeclaredMethod(method);
        called.setAccessible(true);
        return called.invoke(of);
    }
}
