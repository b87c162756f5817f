package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls in a watcher or a background callback of Curator, on the thread that would deliver their answers. */
class EventThreadTest {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    private interface Body {
        void run() throws Exception;
    }

    /** Runs the body on the event thread, and throws what it throws. */
    private static void onEventThread(CuratorFramework client, Body body) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        client.checkExists()
                .inBackground((curator, event) -> {
                    try {
                        body.run();
                        done.complete(true);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                })
                .forPath("/");
        done.get(Patience.limit().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Test
    void aBlockingCall_isRefused_andChangesNothing() throws Exception {
        CuratorFramework own = SERVER.another(TestServer.LONG_SESSION);
        try (own;
                Interlock locks = TestServer.patient(ZooKeeperStore.over(own))) {
            DistributedSemaphore semaphore = locks.semaphore("in-an-event", 1);
            // The first call of the client is refused, too.
            assertRefused(own, () -> semaphore.resize(5));
            assertThat(semaphore.capacity()).isEqualTo(1);
            assertRefused(own, () -> semaphore.resize(5));
            assertRefused(own, semaphore::tryAcquire);
            assertRefused(own, semaphore::inspect);
            assertRefused(own, () -> locks.administration().list("", 1));
            assertRefused(own, () -> locks.lock("in-an-event").lock());
            assertRefused(own, () -> locks.lock("in-an-event").tryLock(Duration.ZERO));
            try (Lease lease = semaphore.acquire()) {
                assertRefused(own, () -> lease.extend(Duration.ofMinutes(1)));
            }
            assertThat(semaphore.capacity()).isEqualTo(1);
        }
    }

    @Test
    void anAsynchronousCall_isServed_andAReleaseDoesNotWait() throws Exception {
        CuratorFramework own = SERVER.another(TestServer.LONG_SESSION);
        try (own;
                Interlock locks = TestServer.patient(ZooKeeperStore.over(own))) {
            CompletableFuture<CompletionStage<Lease>> asked = new CompletableFuture<>();
            onEventThread(own, () -> asked.complete(locks.lock("async").acquireAsync()));
            Lease lease =
                    asked.join().toCompletableFuture().get(Patience.limit().toMillis(), TimeUnit.MILLISECONDS);

            onEventThread(own, () -> assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNCONFIRMED));

            locks.lock("async").acquire().close();
        }
    }

    private static void assertRefused(CuratorFramework own, Body call) {
        assertThatThrownBy(() -> onEventThread(own, call))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("event thread")
                .hasMessageContaining("asynchronous");
    }
}
