package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.history.FencedCell;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.FlakyStore.Rates;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are lost after the store has done what was asked (I6, I7, P09). */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface UnknownOutcomeContract extends LockFixture {

    Duration ATTEMPT = Duration.ofMillis(100);
    /** Not over before the end of the test: a lost release is repeated, not waited out. */
    Duration TTL = Duration.ofMinutes(5);

    /** Whoever gave up on an acquire that was granted unseen is not in the way for the length of its lease. */
    @Test
    default void P09_aGrantThatNobodySaw_isTakenBack() throws Exception {
        SwitchableStore deaf = new SwitchableStore(clients().store());
        DistributedLock lock = clients()
                .open(deaf, b -> b.attemptTimeout(ATTEMPT).closeTimeout(ATTEMPT))
                .lock(clients().name());
        DistributedLock other = elsewhere(lock);
        deaf.mode(SwitchableStore.Mode.GRANTING_UNSEEN);
        do {
            assertThat(triesInVain(lock)).isTrue();
            // On a machine without a free processor the time may be over before anything was sent.
        } while (deaf.struck() == 0);
        await("granted to somebody who gave up").until(other::isLocked);
        deaf.mode(SwitchableStore.Mode.HEALTHY);

        other.tryAcquire(Patience.limit(), LONG).orElseThrow().close();
    }

    private static boolean triesInVain(DistributedLock lock) throws InterruptedException {
        try {
            return !lock.tryLock(ATTEMPT.multipliedBy(3), LONG);
        } catch (StoreUnavailableException e) {
            return true;
        }
    }

    /**
     * A fifth of all answers of all verbs is lost: exclusion holds, no hold count is off, and at the end nothing is
     * left.
     */
    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void P09_lostReplies_leaveNoClaim_andNoWrongCount() {
        Duration time = Effort.pick(Duration.ofSeconds(4), Duration.ofMinutes(2));
        String prefix = clients().prefix() + "flaky-";
        HistoryChecker history = new HistoryChecker();
        FencedCell[] cells = {new FencedCell(), new FencedCell()};
        AtomicLong done = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        List<FlakyStore> stores = new ArrayList<>();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            FlakyStore store = new FlakyStore(
                    clients().store(),
                    90 + i,
                    Rates.NONE.withDroppedReplies(0.2).withLostWakes(0.2));
            stores.add(store);
            Interlock client = clients()
                    .open(store, b -> b.attemptTimeout(ATTEMPT).pollCap(ATTEMPT).closeTimeout(ATTEMPT));
            for (int thread = 0; thread < 2; thread++) {
                String owner = i + "/" + thread;
                callers.add(Caller.startAction(() -> {
                    for (int round = 0; !over.get(); round++) {
                        int which = round % 2;
                        done.addAndGet(turn(client.lock(prefix + which), round, owner, history, cells[which]));
                    }
                }));
            }
        }
        long start = System.nanoTime();
        await("some turns, however busy the machine is")
                .atMost(time.plus(Patience.limit()))
                .until(() -> System.nanoTime() - start > time.toNanos()
                        && done.get() > 20
                        && stores.stream().allMatch(store -> store.droppedReplies() > 0));
        over.set(true);
        callers.forEach(Caller::result);

        history.check();
        assertThat(cells[0].accepted() + cells[1].accepted()).isEqualTo(done.get());
        assertThat(cells[0].refused() + cells[1].refused()).isZero();
        stores.forEach(store -> store.rates(Rates.NONE));
        Interlock observer = clients().open();
        await().untilAsserted(() ->
                assertThat(observer.administration().list(prefix, 10)).isEmpty());
    }

    private static int turn(DistributedLock lock, int round, String owner, HistoryChecker history, FencedCell cell)
            throws InterruptedException {
        try {
            return round % 3 == 0 ? lockTurn(lock, owner, history, cell) : handleTurn(lock, owner, history, cell);
        } catch (StoreUnavailableException e) {
            return 0;
        }
    }

    private static int handleTurn(DistributedLock lock, String owner, HistoryChecker history, FencedCell cell)
            throws InterruptedException {
        Optional<Lease> maybe = lock.tryAcquire(Duration.ofSeconds(2), LeaseTerm.renewing(TTL));
        maybe.ifPresent(lease -> work(lease, owner, history, cell));
        maybe.ifPresent(Lease::close);
        return maybe.isPresent() ? 1 : 0;
    }

    private static int lockTurn(DistributedLock lock, String owner, HistoryChecker history, FencedCell cell)
            throws InterruptedException {
        if (!lock.tryLock(Duration.ofSeconds(2), LeaseTerm.renewing(TTL))) {
            return 0;
        }
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        work(lock.heldLease(), owner, history, cell);
        lock.unlock();
        try {
            lock.unlock();
        } catch (LockLostException e) {
            throw new AssertionError("Nobody but the owner ends a claim", e);
        }
        assertThat(lock.holdCount()).isZero();
        return 1;
    }

    private static void work(Lease lease, String owner, HistoryChecker history, FencedCell cell) {
        long begin = System.nanoTime();
        assertThat(cell.write(lease.token(), owner, value -> value + 1)).isTrue();
        history.addUntilNow(lease.name(), owner, lease.token(), begin);
    }
}
