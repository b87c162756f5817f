package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.PinWatch;
import dev.interlock.testkit.fixture.VirtualThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Very many names, waiters and threads (P12, P29). */
interface MassContract extends LockFixture {

    /**
     * Everybody waits for a name that another process holds; when it lets go, everybody gets it in turn, and nothing is
     * left.
     */
    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void P12_manyContendedNames_andMoreWaiters_allFinish() throws Exception {
        int names = Effort.pick(storeScale() / 20, 2 * storeScale());
        int waiters = names * 5 / 2;
        String prefix = clients().prefix() + "mass-";
        Interlock holder = clients().open();
        Interlock client = clients().open();
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            held.add(holder.lock(prefix + i).acquire(LONG));
        }
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waiting.add(client.lock(prefix + i % names)
                    .acquireAsync(LONG)
                    .thenAccept(Lease::close)
                    .toCompletableFuture());
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        held.forEach(Lease::close);

        CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new))
                .get(Effort.pick(Patience.seconds(), 600L), TimeUnit.SECONDS);
        await().untilAsserted(() ->
                assertThat(holder.administration().list(prefix, 10)).isEmpty());
        assertThat(holder.lock(prefix + 0).inspect().waiters()).isEmpty();
    }

    /**
     * Virtual threads where the JVM has them, and none keeps its carrier; elsewhere as many platform threads as it
     * bears.
     */
    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void P29_manyThreads_overFewerNames_finish_andNothingPins() throws Exception {
        int threads = Effort.pick(storeScale() / 2, 10 * storeScale());
        int few = Math.min(threads, 400);
        if (!VirtualThreads.exist()) {
            countIn(few);
            return;
        }
        // What is used for the first time, also by who records, is loaded and initialized, which pins.
        try (PinWatch warmUp = new PinWatch()) {
            waitOnce();
            countIn(few);
            assertThat(warmUp.ofOurCode()).isNotNull();
        }
        try (PinWatch watch = new PinWatch()) {
            countIn(threads);
            assertThat(watch.ofOurCode()).isEmpty();
        }
    }

    /**
     * Where turns are short it may happen that nobody has to wait, and what only those use is used for the first time
     * later.
     */
    private void waitOnce() {
        DistributedLock lock = clients().open().lock(clients().name());
        Caller<Boolean> waiting;
        lock.lock();
        try {
            waiting = Caller.startAction(() -> LockFixture.lockAndUnlock(lock)).awaitBlocked();
        } finally {
            lock.unlock();
        }
        waiting.result();
    }

    /** So many threads, each of which locks once; each name is locked by a hundred. */
    private void countIn(int count) throws Exception {
        int names = Math.max(1, count / 100);
        Interlock client = clients().open();
        String prefix = clients().prefix() + "threads-";
        long[] counters = new long[names];
        ExecutorService executor = VirtualThreads.orOthers();
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int name = i % names;
                DistributedLock lock = client.lock(prefix + name);
                all.add(executor.submit(() -> lock.run(() -> counters[name]++)));
            }
            for (Future<?> one : all) {
                one.get(Effort.pick(Patience.seconds(), 600L), TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }

        assertThat(Arrays.stream(counters).sum()).isEqualTo(count);
        await().until(() -> client.administration().list(prefix, 10).isEmpty());
    }
}
