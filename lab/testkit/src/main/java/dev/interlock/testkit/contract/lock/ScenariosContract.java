package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * The stories that articles on distributed locks tell, each as one test that reads like them. The parts of the other
 * contracts go deeper; these are what a reader tries first.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
public abstract class ScenariosContract {

    private static final Duration SHORT_LEASE = Duration.ofMillis(400);

    /** A lease that a watchdog keeps, also on a machine that stands still for seconds. */
    private static final LeaseTerm WATCHED = LeaseTerm.renewing(Duration.ofSeconds(5));

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final LockClients clients = new LockClients(this::openStore);

    /** Opens another client of the same shared data, as another process would. The suite closes it. */
    protected abstract LockStore openStore();

    /** How many locks are taken in one of the stories; fewer in a store that needs seconds for so many. */
    protected int pairs() {
        return Effort.pick(1_000, 10_000);
    }

    @AfterEach
    final void closeClients() {
        clients.closeAll();
    }

    @Test
    void aLockThatIsNeverReleased_isKeptByTheWatchdog() throws Exception {
        String name = clients.name();
        DistributedLock lock = clients.open().lock(name);
        DistributedLock other = clients.open().lock(name);
        lock.lock(WATCHED);

        assertThat(other.tryLock(WATCHED.length().plusMillis(500))).isFalse();

        assertThat(lock.isHeldByCurrentThread()).isTrue();
    }

    @Test
    void aLockWhoseProcessIsGone_isFreeWhenItsLeaseIsOver() throws Exception {
        String name = clients.name();
        StoreClient gone = clients.raw();
        Duration lease = Duration.ofSeconds(1);
        long begun = System.nanoTime();
        gone.hold(LockId.lock(name), lease);
        DistributedLock lock = clients.open().lock(name);

        assertThat(lock.tryLock(Patience.limit())).isTrue();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(lease.minus(StoreClient.RESOLUTION));
        lock.unlock();
    }

    @Test
    void aLeaseShorterThanTheWork_isReportedByTheRelease() throws Exception {
        String name = clients.name();
        DistributedLock lock = clients.open().lock(name);
        DistributedLock other = clients.open().lock(name);
        lock.lock(LeaseTerm.fixed(SHORT_LEASE));

        // The work goes on until another holds the lock.
        Caller<Boolean> taking = Caller.startAction(() -> LockFixture.lockAndUnlock(other));
        taking.result();

        assertThatThrownBy(lock::unlock)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossCause())
                        .isEqualTo(LossCause.EXPIRED));
    }

    @Test
    void twoThreadsThatRelyOnTheWatchdog_workOneAfterTheOther() {
        String name = clients.name();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Caller<Boolean>> both = new ArrayList<>();
        for (Interlock client : List.of(clients.open(), clients.open())) {
            DistributedLock lock = client.lock(name);
            both.add(Caller.startAction(() -> {
                lock.lock(WATCHED);
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                LockFixture.awaitRenewal(lock.heldLease());
                inside.decrementAndGet();
                lock.unlock();
            }));
        }

        both.forEach(Caller::result);
        assertThat(most).hasValue(1);
    }

    @Tag(Effort.SCALED)
    @Test
    void manyPairs_onAsManyNames(TestReporter reporter) {
        int pairs = pairs();
        Interlock client = clients.open();
        String prefix = clients.name();
        long begun = System.nanoTime();

        for (int i = 0; i < pairs; i++) {
            DistributedLock lock = client.lock(prefix + ':' + i);
            lock.lock();
            lock.unlock();
        }

        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        reporter.publishEntry(pairs + " pairs", took.toMillis() + " ms");
        assertThat(client.lock(prefix + ":0").isLocked()).isFalse();
    }

    @Test
    void ofAThousandThreadsThatTryOnce_exactlyOneWins() throws Exception {
        String name = clients.name();
        List<Interlock> both = List.of(clients.open(), clients.open());
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger wins = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            DistributedLock lock = both.get(i % 2).lock(name);
            callers.add(Caller.startAction(() -> {
                start.await();
                if (lock.tryAcquire().isPresent()) {
                    wins.incrementAndGet();
                }
            }));
        }

        start.countDown();
        callers.forEach(Caller::result);
        assertThat(wins).hasValue(1);
    }

    @Test
    void aHundredThreadsThatWait_allWinInTurn() {
        String name = clients.name();
        List<Interlock> both = List.of(clients.open(), clients.open());
        int[] unprotected = new int[1];
        CountDownLatch absent = new CountDownLatch(100);
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            DistributedLock lock = both.get(i % 2).lock(name);
            callers.add(Caller.startAction(() -> {
                absent.countDown();
                lock.lock();
                // Else the first could be through before the last runs.
                absent.await();
                unprotected[0]++;
                lock.unlock();
            }));
        }

        callers.forEach(Caller::result);
        assertThat(unprotected[0]).isEqualTo(100);
    }

    @Test
    void aWaitOfOneSecond_endsAfterOneSecond() throws Exception {
        waitOneSecond(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void aWaitOfOneSecond_takesNoLonger() throws Exception {
        waitOneSecond(Duration.ofMillis(1_050));
    }

    private void waitOneSecond(Duration limit) throws Exception {
        String name = clients.name();
        DistributedLock lock = clients.open().lock(name);
        DistributedLock other = clients.open().lock(name);
        lock.lock();

        try (Stopwatch watch = new Stopwatch()) {
            assertThat(other.tryLock(Duration.ofSeconds(1))).isFalse();
            assertThat(watch.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            watch.assertAtMost(limit, "a wait of one second");
        }
        lock.unlock();
    }

    @Test
    void reEntryUnderALease_keepsTheLeaseOfTheFirst() {
        DistributedLock lock = clients.open().lock(clients.name());
        lock.lock(LeaseTerm.fixed(Duration.ofSeconds(20)));
        long token = lock.heldLease().token();

        lock.lock(LeaseTerm.fixed(Duration.ofMinutes(5)));

        assertThat(lock.holdCount()).isEqualTo(2);
        assertThat(lock.heldLease().token()).isEqualTo(token);
        assertThat(lock.remainingLease()).isLessThanOrEqualTo(Duration.ofSeconds(20));
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }
}
