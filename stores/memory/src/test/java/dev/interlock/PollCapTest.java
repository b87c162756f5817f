package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long a waiter sleeps that nobody wakes is the store's to say, unless the application does. */
class PollCapTest {

    private static final Duration SHORT = Duration.ofMillis(10);

    /** So many questions would take twice as long in the rhythm of one second. */
    private static final Duration IN_RHYTHM = Duration.ofSeconds(10);

    private final MemoryStore memory = new MemoryStore();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void unlessSet_aWaiterAsksAgain() {
        wait(Interlock.builder(polled(SHORT)), Patience.FULL);
    }

    @Test
    void whenSet_aWaiterAsksAgain() {
        wait(Interlock.builder(polled(Duration.ofHours(1))).pollCap(SHORT), Patience.FULL);
    }

    @Tag(Effort.TIMING)
    @Test
    void unlessSet_aWaiterAsksInTheRhythmOfTheStore() {
        wait(Interlock.builder(polled(SHORT)), IN_RHYTHM);
    }

    private void wait(InterlockBuilder builder, Duration limit) {
        try (Interlock holder = Interlock.builder(memory).build();
                Interlock waiter = builder.build()) {
            holder.lock("x").lock();
            var waiting = waiter.lock("x").acquireAsync();
            await().atMost(limit).until(() -> asked.get() > 20);
            assertThat(waiting.toCompletableFuture()).isNotDone();
            waiting.toCompletableFuture().cancel(false);
            holder.lock("x").unlock();
        }
    }

    /** The same claims for another client, which counts what it is asked. */
    private LockStore polled(Duration pollCap) {
        MemoryStore session = memory.session();
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("pollCap")) {
                        return pollCap;
                    }
                    if (method.getName().equals("acquire")) {
                        asked.incrementAndGet();
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
