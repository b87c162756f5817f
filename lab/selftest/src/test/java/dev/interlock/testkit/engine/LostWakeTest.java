package dev.interlock.testkit.engine;

import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Wakes that are lost (P11). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class LostWakeTest extends EngineSuite {

    private static final Duration POLL_CAP = Duration.ofMillis(300);

    /** What a wake, an acquire and the scheduling of threads may take. */
    private static final Duration SLACK = Duration.ofMillis(200);

    private static Caller<Boolean> startTurn(DistributedLock lock) {
        return Caller.startAction(() -> LockFixture.lockAndUnlock(lock)).awaitBlocked();
    }

    /** Every wake is lost: the next holder comes within the poll cap. */
    @Test
    void P11_lostWakes_theNextCallerHoldsAllTheSame() {
        loseWakes(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P11_lostWakes_costNoMoreThanThePollCap() {
        loseWakes(POLL_CAP.plus(SLACK));
    }

    private void loseWakes(Duration limit) {
        SwitchableStore deafToWakes = new SwitchableStore(clients().store());
        DistributedLock waiter = clients()
                .open(deafToWakes, b -> b.pollCap(POLL_CAP))
                .lock(clients().name());
        DistributedLock holder = elsewhere(waiter);
        deafToWakes.mode(SwitchableStore.Mode.WAKELESS);
        for (int i = 0; i < 3; i++) {
            holder.lock();
            Caller<Boolean> waiting = startTurn(waiter);
            if (storeListsWaiters()) {
                await().until(() -> !holder.inspect().waiters().isEmpty());
            }
            // A poll while the store is still at the release is in vain.
            holder.unlock();
            try (Stopwatch watch = new Stopwatch()) {
                waiting.result();
                watch.assertAtMost(limit, "a hand-over without a wake");
            }
        }
        if (storeWakes()) {
            await().until(() -> deafToWakes.struck() >= 3);
        }
    }
}
