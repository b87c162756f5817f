package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fixture.LogWatch;
import dev.interlock.testkit.fixture.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Code of the user's cannot hold up the engine, end its threads, or be called under its locks. Invariants I4 and I9.
 */
@Timeout(300)
class CallbacksTest {

    private static final LeaseTerm SHORT = LeaseTerm.renewing(Duration.ofSeconds(1));

    private final ManualClock time = new ManualClock();
    private final EngineClock clock = new EngineClock(time);
    private final Supervisor supervisor = new Supervisor(clock, new NothingElse(), watch -> new Thread(() -> {}));

    /** Nothing else has to be looked after. */
    private static final class NothingElse implements Supervisor.Sweeper {

        @Override
        public long sweep(long now) {
            return EngineClock.NEVER;
        }

        @Override
        public int size() {
            return 0;
        }
    }

    @Test
    void P04_blockedCallbacksDelayNoRenewal() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        // The clock is the test's, the threads of the callbacks are real.
        ManualClock clock = new ManualClock();
        Duration minute = Duration.ofMinutes(1);
        EngineConfig config = new EngineConfig("", minute, minute, minute, Duration.ZERO, List.of(), null);
        EngineCore core = new EngineCore(new MemoryStore(clock), config, clock, watch -> new Thread(() -> {}));
        Lease lease = new EngineLock(core, new ThreadHolds(), LockId.lock("n"), LockOptions.defaults()).acquire(SHORT);
        for (int i = 0; i < 20; i++) {
            core.context().callbacks().run(() -> block(release, blocked));
        }
        for (int i = 0; i < 40; i++) {
            clock.advance(Duration.ofMillis(100));
            core.context().supervisor().sweepIfDue(core.context().now());
        }
        assertThat(lease.isValid()).as("ten renewals later").isTrue();
        await().until(() -> {
            // Blocked callbacks get more threads by and by.
            clock.advance(Duration.ofMillis(10));
            core.context().supervisor().sweepIfDue(core.context().now());
            return blocked.get() > 10;
        });
        release.countDown();
        core.close();
    }

    @Test
    void I9_throwingCallbacksAndObserversEndNothing() throws Exception {
        AtomicInteger thrown = new AtomicInteger();
        LockObserver observer = (name, kind, mode) -> new LockObserver.Acquisition() {
            @Override
            public void acquired(long token, LeaseOrigin origin, Duration waited) {
                thrown.incrementAndGet();
                throw new IllegalStateException("thrown on purpose");
            }

            @Override
            public void ended(ReleaseOutcome outcome, Duration held) {
                thrown.incrementAndGet();
                throw new AssertionError("thrown on purpose");
            }
        };
        // Inline, so that it throws on the very threads that must not end.
        try (Interlock client = Interlock.builder(new MemoryStore())
                .observer(observer)
                .callbackExecutor(Runnable::run)
                .build()) {
            DistributedLock lock = client.lock("n");
            for (int i = 0; i < 3; i++) {
                Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(50)));
                lease.onLost(cause -> {
                    thrown.incrementAndGet();
                    throw new IllegalStateException("thrown on purpose");
                });
            }
            await().until(() -> thrown.get() == 9);
            lock.acquire().close();
        }
    }

    @Test
    void anExecutorThatRejectsLosesNoCompletion() throws Exception {
        Executor rejecting = code -> {
            throw new RejectedExecutionException("full on purpose");
        };
        assertCompletesWith(rejecting);
    }

    /** An executor of a container that has stopped may throw anything. */
    @Test
    void anExecutorThatThrowsLosesNoCompletion() throws Exception {
        Executor throwing = code -> {
            throw new IllegalStateException("stopped on purpose");
        };
        assertCompletesWith(throwing);
    }

    private static void assertCompletesWith(Executor executor) throws Exception {
        try (Interlock client =
                Interlock.builder(new MemoryStore()).callbackExecutor(executor).build()) {
            DistributedLock lock = client.lock("n");
            Lease lease = lock.acquireAsync().toCompletableFuture().get(5, TimeUnit.MINUTES);
            var next = lock.acquireAsync().toCompletableFuture();
            lease.close();
            Lease second = next.get(5, TimeUnit.MINUTES);
            AtomicReference<Thread> told = new AtomicReference<>();
            second.onLost(cause -> told.set(Thread.currentThread()));
            client.administration().forceUnlock("n");
            await().until(() -> told.get() != null);
        }
    }

    /**
     * The executor runs each callback at once, and each waits for another thread that needs the monitor of the same
     * name. Under the monitor that would never end.
     */
    @Test
    void P24_inlineCallbacksRunUnderNoLockOfOurs() throws Exception {
        List<String> entered = new CopyOnWriteArrayList<>();
        AtomicReference<Interlock> open = new AtomicReference<>();
        Executor inline = code -> {
            Interlock client = open.get();
            if (client != null) {
                useFromAnotherThread(client);
            }
            entered.add(Thread.currentThread().getName());
            code.run();
        };
        try (Interlock client = Interlock.builder(new MemoryStore())
                .observer(new Executing(inline))
                .callbackExecutor(inline)
                .build()) {
            open.set(client);
            DistributedLock lock = client.lock("n");
            Lease first = lock.acquire(LeaseTerm.fixed(Duration.ofMinutes(10)));
            first.onLost(cause -> {});
            var next = lock.acquireAsync(SHORT).toCompletableFuture();
            assertThat(lock.tryAcquire(Duration.ofMillis(30))).isEmpty();
            first.close();
            Lease second = next.get(5, TimeUnit.MINUTES);
            second.onLost(cause -> {});
            client.administration().forceUnlock("n");
            await().until(() -> !second.isValid());
            Lease third = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(50)));
            third.onLost(cause -> {});
            await().until(() -> entered.stream().anyMatch(name -> name.contains("supervisor")));
        }
        assertThat(entered).hasSizeGreaterThan(10);
    }

    /** Lets the executor run something for each call. */
    private record Executing(Executor executor) implements LockObserver, LockObserver.Acquisition {

        private void execute() {
            executor.execute(() -> {});
        }

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            execute();
            return this;
        }

        @Override
        public void requested(String name, String owner) {
            execute();
        }

        @Override
        public void acquired(long token, LeaseOrigin origin, Duration waited) {
            execute();
        }

        @Override
        public void gaveUp(@Nullable Throwable failure, Duration waited) {
            execute();
        }

        @Override
        public void ended(ReleaseOutcome outcome, Duration held) {
            execute();
        }
    }

    /**
     * More claims than a batch of renewals takes fall due at once: the first batch is answered while the sweep still
     * goes on.
     */
    @Test
    void P24_renewalsAreToldUnderNoLockOfOurs() {
        int claims = 1_000;
        List<DistributedLock> locks = new ArrayList<>();
        AtomicInteger told = new AtomicInteger();
        Simulation one = Simulation.start(new LockObserver() {
            @Override
            public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
                return null;
            }

            @Override
            public void renewed(String name, String owner) {
                if (told.get() == 0) {
                    locks.forEach(CallbacksTest::useFromAnotherThread);
                }
                told.incrementAndGet();
            }
        });
        for (int i = 0; i < claims; i++) {
            one.acquire("n" + i).join();
            locks.add(one.lock("n" + i));
        }
        one.advance(Duration.ofSeconds(11));
        assertThat(told).hasValue(claims);
    }

    /** It ends nothing else, so the log is where it can be found. */
    @Test
    void whatACallbackThrows_isLogged() {
        try (LogWatch log = new LogWatch()) {
            callbacks(Runnable::run).run(() -> {
                throw new IllegalStateException("thrown on purpose");
            });
            assertThat(log.problems())
                    .contains("WARNING dev.interlock: A callback or observer threw; the lock is not affected");
        }
    }

    @Test
    void withoutAnExecutor_callbacksGetThreadsOfTheLibrary() throws Exception {
        Callbacks own = callbacks(null);
        assertThat(threadOf(own)).isEqualTo(VirtualThreads.exist() ? "" : "interlock-callback-0");
        own.close();
    }

    /** A completion may come while the client closes, or after it. */
    @Test
    void whatComesAfterTheEnd_isRunAllTheSame() throws Exception {
        Callbacks own = callbacks(null);
        threadOf(own);
        own.close();
        assertThat(threadOf(own))
                .startsWith(VirtualThreads.exist() ? "interlock-callback-rejected" : "interlock-callback-");
    }

    /** It keeps no JVM alive, although a thread of the user's may have caused it. */
    @Test
    void theThreadForWhatIsRejected_isADaemon() throws Exception {
        Callbacks rejecting = callbacks(code -> {
            throw new RejectedExecutionException("full on purpose");
        });
        CompletableFuture<Boolean> daemon = new CompletableFuture<>();
        Thread user = new Thread(
                () -> rejecting.run(() -> daemon.complete(Thread.currentThread().isDaemon())));
        user.setDaemon(false);
        user.start();
        assertThat(daemon.get(5, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void anAsynchronousCall_hasWhatItsCodeReturnsOrThrows() {
        Callbacks inline = callbacks(Runnable::run);
        AtomicInteger runs = new AtomicInteger();
        RuntimeException failure = new IllegalStateException("thrown on purpose");

        assertThat(inline.supplyAsync(() -> "result")).isCompletedWithValue("result");
        assertThat(inline.runAsync(runs::incrementAndGet)).isCompletedWithValue(null);
        assertThat(runs).hasValue(1);
        assertThat(catchThrowable(inline.supplyAsync(() -> {
                    throw failure;
                })::join))
                .hasCause(failure);
    }

    /** Virtual threads keep nobody waiting, so nothing has to be looked after. */
    @Test
    void callbacksThatWaitForAThread_areLookedAfterSoon() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        Callbacks own = callbacks(null);
        blockAFew(own, release, blocked);
        // What was armed for them is due, and forgotten.
        time.advance(Duration.ofSeconds(1));
        assertThat(supervisor.sweepIfDue(clock.now())).isEqualTo(EngineClock.NEVER);

        own.run(() -> block(release, blocked));

        long soon = VirtualThreads.exist()
                ? EngineClock.NEVER
                : clock.now() + Duration.ofMillis(5).toNanos();
        assertThat(supervisor.sweepIfDue(clock.now())).isEqualTo(soon);
        assertThat(own.tick(clock.now()))
                .as("the few have come since the last look")
                .isEqualTo(soon);
        own.tick(clock.now());
        await().until(() -> blocked.get() == 5);
        assertThat(own.tick(clock.now())).isEqualTo(EngineClock.NEVER);
        release.countDown();
        own.close();
    }

    /** Nobody looks after them any more. */
    @Test
    void closing_givesThreadsToCallbacksThatWaitForOne() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        Callbacks own = callbacks(null);
        blockAFew(own, release, blocked);
        own.run(() -> block(release, blocked));

        own.close();

        await().until(() -> blocked.get() == 5);
        release.countDown();
    }

    /** As many callbacks as there are threads until somebody looks after them. */
    private static void blockAFew(Callbacks callbacks, CountDownLatch release, AtomicInteger blocked) {
        for (int i = 0; i < 4; i++) {
            callbacks.run(() -> block(release, blocked));
        }
        await().until(() -> blocked.get() == 4);
    }

    private Callbacks callbacks(@Nullable Executor given) {
        return new Callbacks(given, clock, supervisor);
    }

    private static String threadOf(Callbacks callbacks) throws Exception {
        CompletableFuture<String> name = new CompletableFuture<>();
        callbacks.run(() -> name.complete(Thread.currentThread().getName()));
        return name.get(5, TimeUnit.MINUTES);
    }

    /** It is not lost, and not run twice. */
    @Test
    void aCallbackWhoseThreadCannotBeStarted_isRunWhenOneCan() {
        AtomicInteger missing = new AtomicInteger(2);
        List<Thread> started = new CopyOnWriteArrayList<>();
        CallbackThreads threads = new CallbackThreads() {
            @Override
            void start(Thread thread) {
                if (missing.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                started.add(thread);
                super.start(thread);
            }
        };
        AtomicInteger runs = new AtomicInteger();
        assertThat(catchThrowable(() -> threads.execute(runs::incrementAndGet))).isNull();
        threads.relieve();
        assertThat(threads.isBehind()).isTrue();

        long before = System.nanoTime();
        threads.relieve();

        await().until(() -> runs.get() == 1 && isIdleOrGone(started.get(0)));
        threads.execute(runs::incrementAndGet);
        long idle = System.nanoTime() - before;
        await().until(() -> runs.get() == 2);
        // A thread ends that has been idle for a second, and a machine may stand still for as long.
        if (idle < TimeUnit.SECONDS.toNanos(1)) {
            assertThat(missing).as("one thread, for both").hasValue(-1);
        }
        threads.close();
    }

    private static boolean isIdleOrGone(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.TERMINATED;
    }

    @Test
    void anInterruptThatACallbackLeavesBehind_isNotTheNextOnes() throws Exception {
        AtomicInteger started = new AtomicInteger();
        CallbackThreads threads = new CallbackThreads() {
            @Override
            void start(Thread thread) {
                if (started.getAndIncrement() == 0) {
                    super.start(thread);
                }
            }
        };
        CountDownLatch queued = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        threads.execute(() -> block(queued, new AtomicInteger()));
        threads.execute(() -> Thread.currentThread().interrupt());
        threads.execute(() -> interrupted.complete(Thread.currentThread().isInterrupted()));
        queued.countDown();
        assertThat(interrupted.get(5, TimeUnit.MINUTES)).isFalse();
        threads.close();
    }

    private static void useFromAnotherThread(Interlock client) {
        useFromAnotherThread(client.lock("n"));
    }

    /** Needs the arbiter's monitor of the lock. */
    private static void useFromAnotherThread(DistributedLock lock) {
        Thread other = new Thread(() -> {
            try {
                lock.unlock();
            } catch (IllegalMonitorStateException e) {
                // What a thread is told that is not the owner; the message had to look at the holder.
                return;
            }
            throw new AssertionError("Unlocked by a thread that is not the owner");
        });
        other.setDaemon(true);
        other.start();
        try {
            other.join(TimeUnit.MINUTES.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (other.isAlive()) {
            throw new AssertionError("A callback runs under a lock that another thread needs");
        }
    }

    private static void block(CountDownLatch until, AtomicInteger count) {
        count.incrementAndGet();
        try {
            until.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
