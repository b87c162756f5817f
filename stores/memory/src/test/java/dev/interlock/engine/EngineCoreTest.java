package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The supervisor's round over all arbiters, and the end of a client. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineCoreTest {

    /** An error in the arbiter of one name costs the others nothing, and is tried again soon. */
    @Test
    void errorInOneArbiter_keepsNobodyElseFromBeingRenewed() {
        Simulation one = Simulation.start();
        Lease[] leases = {
            one.acquire("a", LeaseTerm.renewing(Duration.ofSeconds(30))).join(),
            one.acquire("b", LeaseTerm.renewing(Duration.ofSeconds(30))).join()
        };
        one.clock.advance(Duration.ofSeconds(11));
        AtomicBoolean thrown = new AtomicBoolean();
        one.clock.beforeReading(() -> {
            boolean ticks = StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().equals("tickSafely")));
            if (ticks && thrown.compareAndSet(false, true)) {
                throw new AssertionError("in the arbiter");
            }
        });

        Duration pause = one.pause();

        assertThat(thrown).isTrue();
        assertThat(one.store.requests(Verb.RENEW))
                .flatExtracting(request -> request.claims())
                .extracting(claim -> claim.id().name())
                .contains("b");
        assertThat(pause).isEqualTo(Duration.ofMillis(20));
        one.advance(Duration.ofSeconds(19));
        assertThat(leases).allMatch(Lease::isValid);
    }

    /** One claim is due, and all others may come along. */
    @Test
    void renewalsThatComeAlong_fillOneBatch_andNoMore() {
        Simulation one = Simulation.start();
        one.acquire("first").join();
        one.clock.advance(Duration.ofMillis(50));
        for (int i = 0; i < 999; i++) {
            one.acquire("n" + i).join();
        }
        while (one.store.count(Verb.RENEW) == 0) {
            one.advance(Duration.ofMillis(1));
        }
        assertThat(one.store.requests(Verb.RENEW))
                .extracting(request -> request.claims().size())
                .containsExactly(384);
    }

    /** A caller that no thread can look after is refused, and its observer is told so. */
    @Test
    void supervisorThatCannotStart_isTheCallersFailure() {
        List<String> told = new ArrayList<>();
        LockObserver observer = (name, kind, mode) -> new LockObserver.Acquisition() {
            @Override
            public void gaveUp(@Nullable Throwable failure, Duration waited) {
                told.add(String.valueOf(failure));
            }
        };
        EngineCore core = new EngineCore(new MemoryStore(), config(observer), System::nanoTime, work -> {
            throw new OutOfMemoryError("no thread, on purpose");
        });
        EngineLock lock = new EngineLock(core, new ThreadHolds(), LockId.lock("n"), LockOptions.defaults());
        assertThatThrownBy(lock::acquireAsync).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(lock::lock).isInstanceOf(OutOfMemoryError.class);
        assertThat(told).hasSize(2).allMatch(failure -> failure.contains("on purpose"));
    }

    @Test
    void client_countsItsArbiters() {
        Simulation one = Simulation.start();
        one.acquire("a").join();
        one.acquire("b").join();
        assertThat(one.core.size()).isEqualTo(2);
    }

    @Test
    void close_endsTheSupervisor_andTheStore_andKeepsAnInterrupt() {
        AtomicBoolean closed = new AtomicBoolean();
        List<Thread> supervisors = new CopyOnWriteArrayList<>();
        ForwardingStore store = new ForwardingStore(new MemoryStore()) {
            @Override
            public void close() {
                closed.set(true);
                super.close();
            }
        };
        EngineCore core = new EngineCore(store, config(), System::nanoTime, work -> {
            Thread thread = Supervisor.newThread(work);
            supervisors.add(thread);
            return thread;
        });
        new EngineLock(core, new ThreadHolds(), LockId.lock("n"), LockOptions.defaults()).lock();
        assertThat(supervisors).singleElement().satisfies(thread -> assertThat(thread.isAlive())
                .isTrue());

        Thread.currentThread().interrupt();
        core.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(closed).isTrue();
        await().until(() -> !supervisors.get(0).isAlive());
    }

    /** On JDK 17 they wait behind others that block, and no supervisor starts threads for them any more. */
    @Test
    void close_givesThreadsToCallbacksThatWaitForOne() {
        EngineCore core = new EngineCore(
                new MemoryStore(), configWith(null), System::nanoTime, work -> new Thread(() -> {}, "idle supervisor"));
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            core.context().callbacks().run(() -> {
                blocked.incrementAndGet();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        core.close();

        await().until(() -> blocked.get() == 5);
        release.countDown();
    }

    private static EngineConfig config(LockObserver... observers) {
        return configWith(Runnable::run, observers);
    }

    private static EngineConfig configWith(@Nullable Executor callbacks, LockObserver... observers) {
        return new EngineConfig(
                "application",
                Duration.ofSeconds(30),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5),
                List.of(observers),
                callbacks);
    }
}
