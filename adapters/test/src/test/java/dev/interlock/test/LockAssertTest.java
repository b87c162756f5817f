package dev.interlock.test;

import static dev.interlock.test.LockAssertions.assertThatLock;
import static dev.interlock.test.LockAssertions.assertThatLocks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.Interlock;
import dev.interlock.testkit.fixture.Caller;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each assertion holds where it should, and fails elsewhere with a message that says how things are. */
@InterlockTest
class LockAssertTest {

    private static void fails(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessageContaining(message);
    }

    @Test
    void aFreeLock(Interlock interlock) {
        assertThatLock("orders").isFree().wasNeverAcquired();
        fails(() -> assertThatLock("orders").isHeld(), "Expected lock 'orders' to be held, and it is free");
        fails(() -> assertThatLock("orders").isHeldByThisThread(), "it is free");
        fails(() -> assertThatLock("orders").isHeldBySomebodyElse(), "it is free");
        fails(() -> assertThatLock("orders").isWaitedFor(), "to be waited for");
        fails(() -> assertThatLock("orders").wasLost(), "never lost");
        fails(() -> assertThatLock("orders").wasAcquired(1), "acquired once, and it was acquired 0 times");
        interlock.lock("orders").run(() -> {});
        assertThatLock("orders").isFree().wasAcquired(1);
        fails(() -> assertThatLock("orders").wasNeverAcquired(), "acquired once");
    }

    @Test
    void aLockThatThisThreadHolds(Interlock interlock) {
        interlock.lock("orders").run(() -> {
            assertThatLock("orders").isHeld().isHeldByThisThread();
            String holder = "it is held by thread '" + Thread.currentThread().getName() + "'";
            fails(() -> assertThatLock("orders").isFree(), holder);
            fails(() -> assertThatLock("orders").isHeldBySomebodyElse(), holder);
        });
    }

    @Test
    void aLockThatSomebodyElseHolds(Locks locks) {
        locks.hold("orders");
        assertThatLock("orders").isHeld().isHeldBySomebodyElse().wasNeverAcquired();
        fails(() -> assertThatLock("orders").isHeldByThisThread(), "somebody else holds it, by hold(\"orders\")");
        fails(() -> assertThatLocks("orders").areFree(), "somebody else holds it");
    }

    @Test
    void aLockThatAnotherThreadHolds(Interlock interlock, Locks locks) {
        interlock.lock("orders").run(() -> Caller.startAction(() -> {
                    assertThatLock("orders").isHeldBySomebodyElse();
                    assertThatLock(locks, "orders").isHeldBySomebodyElse();
                })
                .result());
        assertThatLock("orders").wasAcquiredByThreads(Thread.currentThread().getName());
        fails(() -> assertThatLock("orders").wasAcquiredByThreads("another"), "by the threads [another]");
    }

    @Test
    void aLockThatIsWaitedFor(Interlock interlock, Locks locks) {
        locks.hold("orders");
        Caller<Boolean> caller =
                Caller.startAction(() -> interlock.lock("orders").run(() -> {}));
        locks.awaitWaiting("orders");
        assertThatLock("orders").isWaitedFor().wasNeverAcquired();
        locks.release("orders");
        caller.result();
        assertThatLock("orders").wasAcquired(1);
    }

    @Test
    void theOrderOfLocks(Interlock interlock) {
        for (String name : new String[] {"b", "other", "a", "b"}) {
            interlock.lock(name).run(() -> {});
        }
        assertThatLocks("b", "a", "b").wereAcquiredInThisOrder().areFree();
        fails(() -> assertThatLocks("a", "b").wereAcquiredInThisOrder(), "[a, b], and it was [b, a, b]");
    }

    @Test
    void workUnderALock(Interlock interlock, Locks locks) {
        fails(() -> assertThatLock("orders").wasNeverEnteredTwiceAtOnce(), "enter(\"orders\")");
        interlock.lock("orders").run(() -> locks.enter("orders").close());
        interlock.lock("orders").run(() -> locks.enter("orders").close());
        assertThatLock("orders").wasNeverEnteredTwiceAtOnce();
        try (Locks.Work one = locks.enter("orders");
                Locks.Work two = locks.enter("orders")) {
            assertThat(one).isNotSameAs(two);
        }
        fails(() -> assertThatLock("orders").wasNeverEnteredTwiceAtOnce(), "never to be done by two at once");
    }

    @Test
    void onAThreadOfNoTest_theMessageSaysWhatToWrite(Locks locks) throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Runnable assertion = () -> {
            assertThatLock(locks, "orders").isFree();
            thrown.complete(catchThrowable(() -> assertThatLock("orders").isFree()));
        };
        Thread stranger = new Thread(null, assertion, "stranger", 0, false);
        stranger.start();
        assertThat(thrown.get(5, TimeUnit.MINUTES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'stranger'")
                .hasMessageContaining("assertThatLock(locks, \"orders\")");
    }
}
