package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The end of a client: the row "client closed" of the truth table (P27). */
interface CloseContract extends LockFixture {

    @Test
    default void P27_close_releasesWhatIsHeld() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        DistributedLock handle = client.lock(clients().name());
        Interlock observer = clients().open();
        lock.lock();
        Lease lease = handle.acquire();

        client.close();

        assertThat(lease.isValid()).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(observer.lock(lock.name()).isLocked()).isFalse();
        assertThat(observer.lock(handle.name()).isLocked()).isFalse();
        client.close();
    }

    /** What a finally block does must not hide why its body ended. */
    @Test
    default void P27_close_leavesEveryUnlockOfANestedHoldSilent() {
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
    default void P27_close_refusesNewAcquisitions() {
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
    default void P27_close_endsThoseWhoWait() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        DistributedLock holder = elsewhere(lock);
        Lease held = holder.acquire(LONG);
        List<Caller<Boolean>> waiting = new ArrayList<>();
        waiting.add(Caller.startAction(lock::lock).awaitBlocked());
        waiting.add(Caller.startAction(lock::acquire).awaitBlocked());
        waiting.add(Caller.startAction(() -> lock.tryLock(AMPLE)).awaitBlocked());
        CompletableFuture<Lease> future = lock.acquireAsync().toCompletableFuture();

        client.close();

        for (Caller<Boolean> caller : waiting) {
            assertThat(caller.failure()).isInstanceOf(IllegalStateException.class);
        }
        assertThat(future)
                .failsWithin(AMPLE)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class);
        await().until(() -> holder.inspect().waiters().isEmpty());
        held.close();
    }

    /** As after {@code shutdownNow} of the executor that the client was opened in. */
    @Test
    default void P27_close_onAnInterruptedThread_releasesWhatIsHeld() throws Exception {
        Interlock client = clients().open();
        List<String> names = Stream.generate(clients()::name).limit(20).toList();
        for (String name : names) {
            var unused = client.lock(name).acquire(LONG);
        }

        Caller<Boolean> closing = Caller.start(() -> {
            Thread.currentThread().interrupt();
            client.close();
            return Thread.interrupted();
        });

        assertThat(closing.result()).as("the flag is set again").isTrue();
        Interlock other = clients().open();
        assertThat(names).noneMatch(name -> other.lock(name).isLocked());
    }

    /** With a store that does not answer, closing takes its own time limit and no longer. */
    @Test
    default void P27_close_withASilentStore_isBounded() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = clients().open(faulty.store(), b -> b.attemptTimeout(Duration.ofMillis(200))
                .closeTimeout(Duration.ofMillis(400)));
        DistributedLock lock = client.lock(clients().name());
        Lease lease = LockFixture.answerOf(lock, lock::acquire);
        // A store may tidy up after its first answer; the next one comes when that is done.
        assertThat(LockFixture.answer(client.lock(clients().name())::isLocked)).isFalse();
        faulty.blackHole().strike();
        try (Stopwatch watch = new Stopwatch()) {
            client.close();
            watch.assertAtMost(Duration.ofMillis(700), "closing over a silent store, with a limit of 400 ms");
        }
        assertThat(lease.isValid()).isFalse();
        assertThat(faulty.blackHole().hits()).isPositive();
        faulty.blackHole().heal();
    }

    /** P27, I6: no thread, and nothing in the log above the level of information. */
    @Test
    default void P27_close_leavesNoThread_andLogsNoError() throws Exception {
        Bystanders bystanders = new Bystanders();
        try (LogWatch log = new LogWatch()) {
            Interlock client = clients().open();
            for (int i = 0; i < 20; i++) {
                var unused = client.lock(clients().name()).acquireAsync().thenAccept(lease -> {
                    // Held until the client is closed.
                });
            }
            Lease lost = client.lock(clients().name()).acquire(LeaseTerm.fixed(Duration.ofMillis(100)));
            lost.onLost(cause -> {});
            await().until(() -> !lost.isValid());
            client.lock(clients().name()).lock();

            client.close();

            bystanders.awaitNoOthers(patience());
            assertThat(log.problems()).isEmpty();
        }
    }
}
