package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A barrier that is set and removed, among clients of ours. */
class CuratorBarrierTest {

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private ZooKeeperStore store;
    private ZooKeeperStore other;

    @BeforeEach
    void open() {
        store = connect();
        other = connect();
    }

    /** With one server, also of an ensemble: the test looks at its watches. */
    private static ZooKeeperStore connect() {
        return ZooKeeperStore.builder(SERVER.server().uri())
                .session(TestServer.LONG_SESSION)
                .build();
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
    }

    @Test
    void whoeverWaits_goesOnWhenItIsRemoved() throws Exception {
        CuratorBarrier barrier = store.curatorBarrier("set");
        barrier.set();
        barrier.set();
        Caller<Boolean> waiting = Caller.start(() -> other.curatorBarrier("set").await(Duration.ofDays(1)));
        await().until(() -> watchersOf("/set") == 1);
        assertThat(waiting.isDone()).isFalse();
        assertThat(barrier.isSet()).isTrue();

        barrier.remove();
        barrier.remove();

        assertThat(waiting.result()).isTrue();
        assertThat(other.curatorBarrier("set").isSet()).isFalse();
        other.curatorBarrier("set").await();
    }

    /** With the path that has never been there, and a name that has to be encoded. */
    @Test
    void parentsAreCreated() throws Exception {
        try (ZooKeeperStore below = ZooKeeperStore.at(SERVER.uri("/not/yet/there", TestServer.LONG_SESSION))) {
            CuratorBarrier barrier = below.curatorBarrier("a/b%");
            assertThat(barrier.isSet()).isFalse();

            barrier.set();

            assertThat(SERVER.children("/not/yet/there")).containsExactly("a%2Fb%25");
            barrier.remove();
        }
    }

    @Test
    void timeIsOver_orTheThreadIsInterrupted() throws Exception {
        CuratorBarrier barrier = store.curatorBarrier("in vain");
        barrier.set();
        CuratorBarrier others = other.curatorBarrier("in vain");

        assertThat(others.await(Duration.ZERO)).isFalse();
        assertThat(others.await(Duration.ofMillis(20))).isFalse();
        Caller<Boolean> waiting = Caller.startAction(others::await);
        await().until(() -> watchersOf("/in vain") == 1);
        waiting.interrupt();

        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        assertThat(barrier.isSet()).isTrue();
        barrier.remove();
    }

    /** Another session looks again. */
    @Test
    void sessionThatEnds_doesNotEndTheWait() throws Exception {
        CuratorBarrier barrier = store.curatorBarrier("session");
        barrier.set();
        Set<Long> before = SERVER.server().sessions();
        Caller<Boolean> waiting =
                Caller.start(() -> other.curatorBarrier("session").await(Duration.ofDays(1)));
        await().until(() -> watchersOf("/session") == 1);
        Set<Long> begun = SERVER.server().sessions();
        begun.removeAll(before);

        begun.forEach(SERVER::expire);

        await().until(() ->
                watchersOf("/session") == 1 && !SERVER.server().sessions().containsAll(begun));
        assertThat(waiting.isDone()).isFalse();
        barrier.remove();
        assertThat(waiting.result()).isTrue();
    }

    @Test
    void nodeOfALock_isRefused() throws Exception {
        Probe probe = new Probe(other);
        Claim held = probe.claim("taken");
        probe.granted(held);
        CuratorBarrier barrier = store.curatorBarrier("taken");

        assertThatThrownBy(barrier::set)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("taken");
        assertThatThrownBy(barrier::remove).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(barrier::await).isInstanceOf(IllegalStateException.class);
        assertThat(probe.release(held)).isTrue();
        assertThatThrownBy(() -> store.curatorBarrier("")).isInstanceOf(IllegalArgumentException.class);
    }

    /** Curator delivers the answer on the thread that would wait for it. */
    @Test
    void eventThread_isRefused() throws Exception {
        try (CuratorFramework own = SERVER.another(TestServer.LONG_SESSION);
                ZooKeeperStore over = ZooKeeperStore.over(own)) {
            CuratorBarrier barrier = over.curatorBarrier("event");
            assertThat(barrier.isSet()).isFalse();
            Caller<Throwable> refused = Caller.start(() -> {
                CompletableFuture<Throwable> failure = new CompletableFuture<>();
                own.getZookeeperClient()
                        .getZooKeeper()
                        .exists(
                                "/event",
                                null,
                                (code, path, context, stat) -> {
                                    try {
                                        barrier.set();
                                        failure.complete(new AssertionError("not refused"));
                                    } catch (Exception e) {
                                        failure.complete(e);
                                    }
                                },
                                null);
                return failure.get();
            });
            assertThat(refused.result())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("event thread");
        }
    }

    private static long watchersOf(String path) {
        return SERVER.server()
                .ask("wchp")
                .lines()
                .dropWhile(line -> !line.equals(path))
                .skip(1)
                .takeWhile(line -> line.startsWith("\t"))
                .count();
    }
}
