package dev.interlock.testkit.engine;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.cancel.CancellationWalk;
import dev.interlock.testkit.contract.cancel.FutureWays;
import dev.interlock.testkit.contract.cancel.Scene;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** The walk of cancellation over the futures of the engine: locks, sides, semaphores, latches. */
class CancellationTest extends CancellationWalk {

    private static final Duration LONG = Duration.ofHours(1);
    private static final LeaseTerm FIXED = LeaseTerm.fixed(LONG);
    private static final LockOptions FAIR = LockOptions.builder().fair(true).build();
    private static final LockOptions RETAINED =
            LockOptions.builder().retained(Duration.ofMillis(10)).build();

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }

    @Override
    protected List<String> ways() {
        return FutureWays.ALL;
    }

    @Override
    protected Map<String, Form> forms() {
        Holding lock = (client, name) -> client.lock(name).acquire()::close;
        Holding sides = (client, name) -> client.readWriteLock(name).writeLock().acquire()::close;
        Holding permits = (client, name) -> client.semaphore(name, 2).acquire(2)::close;
        Holding count = (client, name) -> {
            client.latch(name).trySetCount(1);
            return client.latch(name)::countDown;
        };
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("acquireAsync", form(lock, s -> s.client().lock(s.name()).acquireAsync()));
        forms.put(
                "acquireAsync(term)", form(lock, s -> s.client().lock(s.name()).acquireAsync(FIXED)));
        forms.put("tryAcquireAsync", form(lock, s -> s.client().lock(s.name()).tryAcquireAsync()));
        forms.put(
                "tryAcquireAsync(wait)",
                form(lock, s -> s.client().lock(s.name()).tryAcquireAsync(LONG)));
        forms.put("fair", form(lock, s -> s.client().lock(s.name(), FAIR).acquireAsync()));
        forms.put(
                "retained", form(lock, s -> s.client().lock(s.name(), RETAINED).acquireAsync()));
        forms.put(
                "read",
                form(sides, s -> s.client().readWriteLock(s.name()).readLock().acquireAsync()));
        forms.put(
                "write",
                form(sides, s -> s.client().readWriteLock(s.name()).writeLock().acquireAsync()));
        forms.put(
                "permits", form(permits, s -> s.client().semaphore(s.name(), 2).acquireAsync(2)));
        forms.put(
                "permits(wait)",
                form(permits, s -> s.client().semaphore(s.name(), 2).tryAcquireAsync(2, LONG)));
        forms.put("latch", form(count, s -> s.client().latch(s.name()).awaitAsync()));
        forms.put("latch(wait)", form(count, s -> s.client().latch(s.name()).awaitAsync(LONG)));
        return forms;
    }

    /** Takes what a call wants; what it returns gives that back. */
    private interface Holding {
        Runnable hold(Interlock client, String name) throws Exception;
    }

    private static Form form(Holding holding, Function<Scene, CompletionStage<?>> call) {
        return new Form() {
            @Override
            public Runnable begin(Scene scene, String way) {
                var future = call.apply(scene).toCompletableFuture();
                scene.begun(() -> FutureWays.giveUp(future, way, null));
                return () -> FutureWays.closeLease(future);
            }

            @Override
            public Runnable hold(Interlock client, String name) throws Exception {
                return holding.hold(client, name);
            }
        };
    }
}
