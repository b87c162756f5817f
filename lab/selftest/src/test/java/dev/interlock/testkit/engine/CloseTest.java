package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LogWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The end of a client, for callers of the client itself: the row "client closed" of the truth table (P27). */
class CloseTest extends EngineSuite {

    /** What a finally block does must not hide why its body ended. */
    @Test
    void P27_close_leavesEveryUnlockOfANestedHoldSilent() {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        lock.lock();
        try {
            lock.lock();
            try {
                client.close();
            } finally {
                lock.unlock();
            }
        } finally {
            lock.unlock();
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void P27_close_refusesNewAcquisitions() {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        client.close();
        for (Caller.Action way : List.<Caller.Action>of(
                lock::lock,
                () -> lock.lock(LONG),
                lock::lockInterruptibly,
                lock::tryLock,
                () -> lock.tryLock(BRIEF),
                () -> lock.tryLock(BRIEF, LONG),
                () -> lock.tryLock(1, TimeUnit.SECONDS),
                lock::acquire,
                lock::tryAcquire,
                () -> lock.tryAcquire(BRIEF))) {
            assertThatThrownBy(way::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(lock.name());
        }
    }

    @Test
    void P27_close_endsThoseWhoWait() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        DistributedLock holder = elsewhere(lock);
        Lease held = holder.acquire(LONG);
        List<Caller<Boolean>> waiting = new ArrayList<>();
        waiting.add(Caller.startAction(lock::lock).awaitBlocked());
        waiting.add(Caller.startAction(lock::acquire).awaitBlocked());
        waiting.add(Caller.startAction(() -> lock.tryLock(Patience.limit())).awaitBlocked());
        CompletableFuture<Lease> future = lock.acquireAsync().toCompletableFuture();

        client.close();

        for (Caller<Boolean> caller : waiting) {
            assertThat(caller.failure()).isInstanceOf(IllegalStateException.class);
        }
        assertThat(future)
                .failsWithin(Patience.limit())
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class);
        await().until(() -> holder.inspect().waiters().isEmpty());
        held.close();
    }

    /** Otherwise it could not end in order. Others get nothing any more. */
    @Test
    void P27_close_letsABodyThatRunsAcquireWhatItNeedsToEnd() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        DistributedLock inner = client.lock(clients().name());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        Caller<String> body = Caller.start(() -> lock.call(() -> {
            begun.countDown();
            closing.await();
            inner.run(() -> {});
            inner.acquireAsync().toCompletableFuture().get().close();
            return "ended";
        }));
        begun.await();
        Caller<Boolean> close = Caller.startAction(client::close);
        await().until(() -> {
            try {
                client.lock(clients().name()).acquire().close();
                return false;
            } catch (IllegalStateException e) {
                return true;
            }
        });

        closing.countDown();

        assertThat(body.result()).isEqualTo("ended");
        close.result();
        assertThat(elsewhere(lock).isLocked()).isFalse();
        assertThat(elsewhere(inner).isLocked()).isFalse();
    }

    /** It is told once, with the lock, the thread and the time. */
    @Test
    void P27_close_warnsOfABodyThatGoesOn() throws Exception {
        Interlock client = clients().open(builder -> builder.closeTimeout(Duration.ofMillis(50)));
        DistributedLock lock = client.lock(clients().name());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Caller<Boolean> body = Caller.startAction(() -> lock.call(() -> {
            begun.countDown();
            return end.await(1, TimeUnit.DAYS);
        }));
        begun.await();
        try (LogWatch log = new LogWatch()) {
            client.close();
            assertThat(log.problems())
                    .singleElement()
                    .asString()
                    .contains("'" + lock.name() + "' (thread ")
                    .contains("for at most ");
        }
        assertThat(elsewhere(lock).isLocked()).isTrue();
        end.countDown();
        body.result();
        assertThat(elsewhere(lock).isLocked()).isFalse();
    }
}
