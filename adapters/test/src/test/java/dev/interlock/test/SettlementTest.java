package dev.interlock.test;

import static dev.interlock.test.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing.md: see {@link TestingPageTest}. */
@InterlockTest
class SettlementTest {

    @Test
    void busy_isSkipped(Interlock interlock, Locks locks) throws Exception {
        locks.hold("settle:42"); // somebody else has it

        assertThat(new Settlement(interlock, order -> {}).trySettle(42, Duration.ZERO))
                .isFalse();

        assertThatLock("settle:42").isHeldBySomebodyElse().wasNeverAcquired();
    }

    @Test
    void busy_isWaitedFor(Interlock interlock, Locks locks) {
        locks.hold("settle:42");
        locks.whenWaiting("settle:42", () -> locks.release("settle:42"));

        new Settlement(interlock, order -> {}).settle(42);
    }

    @Test
    void busyForTooLong_isGivenUp(Interlock interlock, Locks locks, TestClock clock) throws Exception {
        locks.hold("settle:42");
        locks.whenWaiting("settle:42", () -> clock.advance(Duration.ofMinutes(5)));

        assertThat(new Settlement(interlock, order -> {}).trySettle(42, Duration.ofMinutes(5)))
                .isFalse();
    }

    @Test
    void lostWhileItWorks_isReported(Interlock interlock, Locks locks) {
        Settlement settlement = new Settlement(interlock, order -> locks.lose("settle:42", LossCause.TAKEN));

        assertThatThrownBy(() -> settlement.settle(42)).isInstanceOf(LockLostException.class);
    }

    @Test
    void longWork_keepsItsLock(Interlock interlock, TestClock clock) {
        new Settlement(interlock, order -> {
                    clock.advance(Duration.ofHours(3)); // renewed every ten seconds on the way
                    assertThatLock("settle:42").isHeldByThisThread();
                })
                .settle(42);
    }

    @Test
    void storeIsDown_isReported(Interlock interlock, TestStore store) {
        store.silent(); // or refuse(), or latency(Duration); then answer()

        assertThatThrownBy(() -> new Settlement(interlock, order -> {}).settle(42))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void twoNodes_neverWorkAtOnce(Interlock interlock, Locks locks) {
        IntConsumer work = order -> locks.enter("settle:" + order).close();
        Settlement here = new Settlement(interlock, work);
        Settlement there = new Settlement(locks.newClient(), work);

        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> there.settle(42));
        here.settle(42);
        other.join();

        assertThatLock("settle:42").wasAcquired(2).wasNeverEnteredTwiceAtOnce();
    }

    /** The code under test. */
    record Settlement(Interlock interlock, IntConsumer work) {

        void settle(int order) {
            interlock.lock("settle:" + order).run(() -> work.accept(order));
        }

        boolean trySettle(int order, Duration wait) throws InterruptedException {
            return interlock.lock("settle:" + order).tryRun(wait, () -> work.accept(order));
        }
    }
}
