package dev.interlock.test;

import static dev.interlock.test.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a test can do to the locks and the store of the code under test, and what it is told if it cannot. */
@InterlockTest
class LocksTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    // ---- somebody else

    @Test
    void hold_keepsTheLockFromTheCodeUnderTest(Interlock interlock, Locks locks) {
        locks.hold("orders");
        assertThat(interlock.lock("orders").tryLock()).isFalse();

        locks.release("orders");
        assertThat(interlock.lock("orders").tryLock()).isTrue();
        interlock.lock("orders").unlock();
    }

    @Test
    void hold_ofALockInUse_saysByWhom(Interlock interlock, Locks locks) {
        interlock.lock("orders").run(() -> assertThatThrownBy(() -> locks.hold("orders"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'orders'")
                .hasMessageContaining(
                        "held by thread '" + Thread.currentThread().getName() + "'")
                .hasMessageContaining("call hold before"));
    }

    @Test
    void hold_ofALockThatSomebodyElseHolds_saysSo(Locks locks) {
        locks.hold("orders");
        assertThatThrownBy(() -> locks.hold("orders")).hasMessageContaining("somebody else holds it");
    }

    @Test
    void release_ofWhatNobodyElseHolds_isRefused(Interlock interlock, Locks locks) {
        assertThatThrownBy(() -> locks.release("orders"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is free");
        interlock.lock("orders").run(() -> assertThatThrownBy(() -> locks.release("orders"))
                .hasMessageContaining("it is held by thread"));
    }

    @Test
    void whenWaiting_letsAWaitEndOnOneThread(Interlock interlock, Locks locks) throws InterruptedException {
        locks.hold("orders");
        locks.whenWaiting("orders", () -> locks.release("orders"));

        assertThat(interlock.lock("orders").tryLock(MINUTE)).isTrue();
        interlock.lock("orders").unlock();
    }

    @Test
    void whenWaiting_letsTheTimeOfAWaitPass(Interlock interlock, Locks locks, TestClock clock) throws Exception {
        locks.hold("orders");
        locks.whenWaiting("orders", () -> clock.advance(MINUTE.multipliedBy(60)));

        assertThat(interlock.lock("orders").tryLock(MINUTE.multipliedBy(60))).isFalse();
    }

    @Test
    void awaitWaiting_returnsWhenSomebodyWaits(Interlock interlock, Locks locks) {
        locks.hold("orders");
        Caller<Boolean> caller =
                Caller.startAction(() -> interlock.lock("orders").run(() -> {}));
        locks.awaitWaiting("orders");
        locks.release("orders");
        assertThat(caller.result()).isTrue();
    }

    // ---- waits for what does not come

    @Test
    void waitForEver_ends_andSaysWhoHolds(Interlock interlock, Locks locks) {
        DistributedLock lock = interlock.lock("never");
        locks.hold("never");
        locks.ledger().patience(Duration.ofMillis(100));

        String message = "Waited too long for lock 'never' on thread '"
                + Thread.currentThread().getName() + "': somebody else holds it, by hold(\"never\")";
        assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class).hasMessageStartingWith(message);
        assertThatThrownBy(() -> lock.tryLock(MINUTE.multipliedBy(60))).hasMessageStartingWith(message);
        assertThatThrownBy(() -> lock.acquireAsync().toCompletableFuture().join())
                .cause()
                .hasMessageStartingWith(message);

        locks.release("never");
        lock.run(() -> {});
    }

    @Test
    void deadlock_ends_andSaysWhoHolds(Interlock interlock, Locks locks) {
        DistributedLock one = interlock.lock("one");
        DistributedLock two = interlock.lock("two");
        two.lock();
        Caller<Boolean> caller = Caller.startAction(() -> one.run(() -> two.run(() -> {})));
        locks.awaitWaiting("two");
        // That wait has begun, and keeps its bound: this thread's ends before.
        locks.ledger().patience(Duration.ofMillis(100));

        assertThatThrownBy(one::lock)
                .hasMessageStartingWith("Waited too long for lock 'one'")
                .hasMessageContaining("it is held by thread");
        two.unlock();
        assertThat(caller.result()).isTrue();
    }

    @Test
    void newClient_isAnotherProcess(Interlock interlock, Locks locks) {
        DistributedLock here = interlock.lock("orders");
        DistributedLock there = locks.newClient().lock("orders");
        here.run(() -> assertThat(there.tryLock()).isFalse());
        there.run(() -> assertThat(here.tryLock()).isFalse());
    }

    // ---- losses

    @ParameterizedTest
    @EnumSource(
            value = LossCause.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"EXPIRED"})
    void lose_endsTheLeaseByThatCause(LossCause cause, Interlock interlock, Locks locks) {
        DistributedLock lock = interlock.lock("orders");
        AtomicReference<LossCause> told = new AtomicReference<>();
        lock.lock();
        Lease lease = lock.heldLease();
        lease.onLost(told::set);

        locks.lose("orders", cause);

        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lock::unlock)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossCause())
                        .isEqualTo(cause));
        assertThatLock("orders").wasLost();
        assertThat(interlock.lock("orders").tryLock()).isEqualTo(cause != LossCause.TAKEN);
        if (cause != LossCause.TAKEN) {
            lock.unlock();
        }
    }

    @ParameterizedTest
    @EnumSource(LossCause.class)
    void lose_endsAFixedLease(LossCause cause, Interlock interlock, Locks locks) {
        DistributedLock lock = interlock.lock("orders");
        lock.lock(LeaseTerm.fixed(MINUTE));
        Lease lease = lock.heldLease();

        locks.lose("orders", cause);

        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void lose_reachesCallbacks(Interlock interlock, Locks locks) throws Exception {
        CompletableFuture<LossCause> told = new CompletableFuture<>();
        try (Lease lease = interlock.lock("orders").acquire()) {
            lease.onLost(told::complete);
            locks.lose("orders", LossCause.FORCED);
            assertThat(told.get(5, java.util.concurrent.TimeUnit.MINUTES)).isEqualTo(LossCause.FORCED);
        }
    }

    @Test
    void lose_byExpiry_isRefusedForALeaseThatIsRenewed(Interlock interlock, Locks locks) {
        interlock.lock("orders").run(() -> assertThatThrownBy(() -> locks.lose("orders", LossCause.EXPIRED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LeaseTerm.fixed"));
    }

    @Test
    void lose_ofWhatNobodyHolds_isRefused(Locks locks) {
        assertThatThrownBy(() -> locks.lose("orders", LossCause.DELETED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is free")
                .hasMessageContaining("while the code under test holds it");
        locks.hold("orders");
        assertThatThrownBy(() -> locks.lose("orders", LossCause.DELETED))
                .hasMessageContaining("somebody else holds it");
    }

    @Test
    void lose_whileTheStoreIsSilent_isRefused(Interlock interlock, Locks locks, TestStore store) {
        interlock.lock("orders").run(() -> {
            store.silent();
            assertThatThrownBy(() -> locks.lose("orders", LossCause.DELETED)).hasMessageContaining("answer()");
            store.answer();
        });
    }

    // ---- the store

    @Test
    void silent_endsCallsByTheirTimeOuts(Interlock interlock, TestStore store) {
        store.silent();
        assertThatThrownBy(() -> interlock.lock("orders").lock()).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> interlock.lock("orders").tryLock()).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> interlock.lock("orders").isLocked()).isInstanceOf(StoreUnavailableException.class);

        store.answer();
        interlock.lock("orders").run(() -> {});
        assertThatLock("orders").wasAcquired(1);
    }

    @Test
    void refuse_endsCallsByTheirTimeOuts(Interlock interlock, TestStore store) {
        store.refuse();
        assertThatThrownBy(() -> interlock.lock("orders").lock())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("refuse()");
        store.answer();
    }

    @Test
    void silent_losesTheLeaseAtItsEnd(Interlock interlock, TestStore store, TestClock clock) {
        DistributedLock lock = interlock.lock("orders");
        lock.lock();
        store.silent();
        clock.advance(Duration.ofSeconds(20));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        clock.advance(Duration.ofSeconds(20));
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        store.answer();
        assertThatThrownBy(lock::unlock).hasMessageContaining("STORE_UNREACHABLE");
    }

    @Test
    void latency_delaysAnswersByTheClock(Interlock interlock, TestStore store, TestClock clock) {
        store.latency(Duration.ofMillis(100));
        CompletableFuture<Optional<Lease>> lease =
                interlock.lock("orders").tryAcquireAsync(MINUTE).toCompletableFuture();
        clock.advance(Duration.ofMillis(100));
        lease.join().orElseThrow().close();
        assertThatThrownBy(() -> store.latency(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- work

    @Test
    void work_afterALoss_isFoundToOverlap(Interlock interlock, Locks locks) {
        DistributedLock there = locks.newClient().lock("orders");
        interlock.lock("orders").lock();
        try (Locks.Work late = locks.enter("orders")) {
            assertThat(late).isNotNull();
            locks.lose("orders", LossCause.DELETED);
            there.run(() -> locks.enter("orders").close());
        }
        assertThatThrownBy(() -> interlock.lock("orders").unlock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> assertThatLock("orders").wasNeverEnteredTwiceAtOnce())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("while");
    }
}
