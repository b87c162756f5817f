package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The stages of asynchronous calls, whoever looks at them and whenever, and the end of the client meanwhile. Answers
 * are on their way until the test lets them go.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its locks to its client
class CallFutureTest {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private final MemoryStore memory = new MemoryStore();
    private final TransitStore store = new TransitStore(memory);
    private final ExecutorService executor = Executors.newSingleThreadExecutor(work -> new Thread(work, "of-the-user"));

    /** What was given to the executor. */
    private final List<Runnable> given = new ArrayList<>();

    private final Interlock client = settings().build();

    /** For futures of no call. */
    private final Callbacks callbacks = new Callbacks(
            executor,
            new EngineClock(() -> 1),
            Simulation.start().core.context().supervisor());

    private InterlockBuilder settings() {
        return Interlock.builder(store)
                .attemptTimeout(AMPLE)
                .storeTimeout(AMPLE)
                .closeTimeout(Duration.ofMillis(100))
                .callbackExecutor(work -> {
                    synchronized (given) {
                        given.add(work);
                    }
                    executor.execute(work);
                });
    }

    @AfterEach
    void close() {
        store.road(Road.OPEN);
        client.close();
        executor.shutdown();
    }

    private int given() {
        synchronized (given) {
            return given.size();
        }
    }

    private CompletionStage<ReleaseOutcome> released() throws InterruptedException {
        store.road(Road.OPEN);
        Lease lease = client.lock("n").acquire();
        store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        return lease.releaseAsync();
    }

    private static ReleaseOutcome outcome(CompletionStage<ReleaseOutcome> stage) throws Exception {
        return stage.toCompletableFuture().get(AMPLE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void whatDependsOnItRunsOnTheExecutor() throws Exception {
        CompletionStage<ReleaseOutcome> released = released();
        CompletionStage<String> thread =
                released.thenApply(outcome -> Thread.currentThread().getName());
        store.letGo();
        assertThat(thread.toCompletableFuture().get(AMPLE.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo("of-the-user");
        assertThat(outcome(released)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void everyWayToDependOnItEnds() throws Exception {
        CompletableFuture<Void> never = new CompletableFuture<>();
        CompletableFuture<Void> already = CompletableFuture.completedFuture(null);
        List<CompletableFuture<?>> ways = new ArrayList<>();
        for (boolean before : List.of(true, false)) {
            List<CompletionStage<ReleaseOutcome>> each = new ArrayList<>();
            for (int i = 0; i < 14; i++) {
                each.add(released());
                if (!before) {
                    store.letGo();
                }
            }
            var next = each.iterator();
            ways.add(next.next().thenRun(() -> {}).toCompletableFuture());
            ways.add(next.next().thenAcceptAsync(outcome -> {}).toCompletableFuture());
            ways.add(next.next().whenComplete((outcome, failure) -> {}).toCompletableFuture());
            ways.add(next.next().handle((outcome, failure) -> outcome).toCompletableFuture());
            ways.add(next.next()
                    .exceptionally(failure -> ReleaseOutcome.RELEASED)
                    .toCompletableFuture());
            ways.add(next.next().thenCompose(outcome -> already).toCompletableFuture());
            ways.add(already.thenCompose(nothing -> next.next()));
            ways.add(next.next()
                    .thenCombine(already, (outcome, nothing) -> outcome)
                    .toCompletableFuture());
            ways.add(already.thenCombine(next.next(), (nothing, outcome) -> outcome));
            ways.add(next.next().runAfterEither(never, () -> {}).toCompletableFuture());
            ways.add(never.runAfterEither(next.next(), () -> {}));
            ways.add(CompletableFuture.allOf(next.next().toCompletableFuture()));
            ways.add(CompletableFuture.anyOf(never, next.next().toCompletableFuture()));
            ways.add(next.next().toCompletableFuture().orTimeout(AMPLE.toSeconds(), TimeUnit.SECONDS));
            store.letGo();
        }
        for (CompletableFuture<?> way : ways) {
            way.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void executor_hasNothingToDo_ifNobodyLooksInTime() throws Exception {
        CompletionStage<ReleaseOutcome> released = released();
        store.letGo();
        assertThat(released.toCompletableFuture()).isCompletedWithValue(ReleaseOutcome.RELEASED);
        assertThat(given()).isZero();
    }

    @Test
    void theOnlyThreadOfTheExecutorMayBlockForIt() throws Exception {
        CompletableFuture<ReleaseOutcome> released = released().toCompletableFuture();
        CompletableFuture<Void> blocks = new CompletableFuture<>();
        CompletableFuture<ReleaseOutcome> joined = CompletableFuture.supplyAsync(
                () -> {
                    blocks.complete(null);
                    return released.join();
                },
                executor);
        blocks.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
        assertThatThrownBy(() -> released.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        store.letGo();
        assertThat(outcome(joined)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(released.get()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void whateverTheUserDoesToItTheReleaseGoesOn() throws Exception {
        CompletableFuture<ReleaseOutcome> released = released().toCompletableFuture();
        released.complete(ReleaseOutcome.lost(LossCause.TAKEN));
        released().toCompletableFuture().cancel(true);
        store.letGo();
        store.road(Road.OPEN);
        assertThat(client.lock("n").isLocked()).isFalse();
        assertThat(store.count(Verb.RELEASE)).isEqualTo(2);
    }

    @Test
    void anAcquisitionIsForABlockedThread_withoutTheExecutor() throws Exception {
        List<Wait<Lease>> ways = List.of(
                CompletableFuture::join, CompletableFuture::get, soon -> soon.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
        store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        for (int i = 0; i < ways.size(); i++) {
            Wait<Lease> way = ways.get(i);
            int sent = i;
            CompletionStage<Lease> soon = client.lock("n" + i).acquireAsync();
            FutureTask<Lease> blocked = new FutureTask<>(() -> way.waitFor((CompletableFuture<Lease>) soon));
            Thread thread = new Thread(blocked);
            thread.setDaemon(true);
            thread.start();
            await().until(() -> store.count(Verb.ACQUIRE) > sent);
            store.letGo();
            Lease lease = blocked.get(AMPLE.toSeconds(), TimeUnit.SECONDS);
            assertThat(lease.isValid()).isTrue();
            assertThat(soon.toCompletableFuture()).isCompletedWithValue(lease);
        }
        assertThat(given()).isZero();
    }

    /** A way to block for a future. */
    private interface Wait<T> {

        T waitFor(CompletableFuture<T> future) throws Exception;
    }

    @Test
    void aBlockedThreadIsToldOfACancellation_andOfAnotherEnd() throws Exception {
        for (boolean cancelled : List.of(true, false)) {
            store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
            CompletableFuture<Lease> soon = client.lock("n").acquireAsync().toCompletableFuture();
            CompletableFuture<Lease> joined = new CompletableFuture<>();
            Thread blocked = new Thread(() -> {
                try {
                    joined.complete(soon.join());
                } catch (RuntimeException e) {
                    joined.completeExceptionally(e);
                }
            });
            blocked.start();
            await().until(() -> blocked.getState() == Thread.State.WAITING);
            if (cancelled) {
                soon.cancel(true);
            } else {
                soon.completeExceptionally(new IllegalStateException("of the user"));
            }
            assertThatThrownBy(() -> joined.get(AMPLE.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOfAny(ExecutionException.class, CancellationException.class);
            store.road(Road.OPEN);
            store.letGo();
            await().until(() -> !client.lock("n").isLocked());
        }
    }

    /** Whoever has not looked whether it is there may give it up: there is a lease then, which nobody knows. */
    @Test
    void aLeaseThatIsReady_goesBack_ifItsStageIsCancelledUnseen() throws Exception {
        store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> soon =
                (CompletableFuture<Lease>) client.lock("n").acquireAsync();
        await().until(() -> store.count(Verb.ACQUIRE) > 0);
        store.letGo();
        assertThat(client.lock("n").isLocked()).isTrue();

        assertThat(soon.cancel(true)).isTrue();

        await().until(() -> !client.lock("n").isLocked());
    }

    /** Told twice, the engine would take a caller out of a queue that has left it. */
    @Test
    void whoeverEndsItFirst_isTold_andTheEngineIsToldOnce() {
        List<Predicate<CompletableFuture<String>>> ways = List.of(
                future -> future.complete("by the user"),
                future -> future.completeExceptionally(new IllegalStateException("of the user")),
                future -> future.cancel(true));
        for (var first : ways) {
            AtomicInteger ends = new AtomicInteger();
            assertThat(first.test(new CallFuture<>(callbacks, ends::incrementAndGet)))
                    .isTrue();
            assertThat(ends).hasValue(1);
        }
        AtomicInteger ends = new AtomicInteger();
        CallFuture<String> ended = new CallFuture<>(callbacks, ends::incrementAndGet);
        ended.complete("before");
        for (var later : ways) {
            assertThat(later.test(ended)).isFalse();
        }
        assertThat(ended).isCompletedWithValue("before");
        assertThat(ends).hasValue(1);
    }

    /** It may be a lease, which has to go back. */
    @Test
    void anOutcomeThatComesAfterTheUsersEnd_isTakenInOnTheExecutor() throws Exception {
        CallFuture<String> future = new CallFuture<>(callbacks, CallFuture.NOTHING);
        CompletableFuture<String> takenIn = new CompletableFuture<>();
        future.complete("by the user");

        future.ready(() -> takenIn.complete(Thread.currentThread().getName()));

        assertThat(takenIn.get(AMPLE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("of-the-user");
    }

    /** P27: closing waits for its answer, within its limit, and then tells whoever waits. */
    @Test
    void P27_closingEndsIt() throws Exception {
        CompletionStage<ReleaseOutcome> released = released();
        long before = System.nanoTime();
        client.close();
        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
        assertThat(outcome(released)).isEqualTo(ReleaseOutcome.UNCONFIRMED);
    }

    @Test
    void P27_closingEndsABlockedRelease() throws Exception {
        Lease lease = client.lock("n").acquire();
        store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> blocked = CompletableFuture.supplyAsync(lease::release);
        await().until(() -> store.count(Verb.RELEASE) > 0);
        client.close();
        assertThat(outcome(blocked)).isEqualTo(ReleaseOutcome.UNCONFIRMED);
    }

    /** P27: a writer that goes over to a share waits until others may share, or until nobody looks after that. */
    @Test
    void P27_closingEndsTheWaitForAConversion() throws Exception {
        DistributedReadWriteLock lock = client.readWriteLock("n");
        lock.writeLock().lock();
        lock.readLock().lock();
        store.road(Road.KEEP_ANSWERS);
        CompletionStage<ReleaseOutcome> released = lock.writeLock().heldLease().releaseAsync();
        client.close();
        assertThat(outcome(released)).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
