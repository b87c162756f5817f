package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How long a waiter sleeps that nobody wakes is the store's to say, unless the application does. */
class PollCapTest {

    private static final Duration SHORT = Duration.ofMillis(10);

    private final MemoryStore memory = new MemoryStore();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void unlessSet_aWaiterAsksInTheRhythmOfTheStore() {
        wait(Interlock.builder(polled(SHORT)));
    }

    @Test
    void whenSet_aWaiterAsksInThatRhythm() {
        wait(Interlock.builder(polled(Duration.ofHours(1))).pollCap(SHORT));
    }

    /** So many questions would take a quarter of a minute in the rhythm of one second. */
    private void wait(InterlockBuilder builder) {
        try (Interlock holder = Interlock.builder(memory).build();
                Interlock waiter = builder.build()) {
            holder.lock("x").lock();
            var waiting = waiter.lock("x").acquireAsync();
            await().atMost(Duration.ofSeconds(10)).until(() -> asked.get() > 20);
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
