package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
}
