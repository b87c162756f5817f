package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedSemaphore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Permits of ours and of Curator on the same path: never more than there are, and everybody gets a share. */
@Tag("wide")
class CuratorSemaphoreTest {

    private static final int PERMITS = 3;
    private static final int USES = Effort.pick(300, 8_000);
    private static final long STAY_NANOS = 10_000_000;

    private static ZooKeeperClients clients;

    private final CountDownLatch free = new CountDownLatch(PERMITS);
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @BeforeAll
    static void open() {
        clients = new ZooKeeperClients();
    }

    @AfterAll
    static void close() {
        clients.close();
    }

    @Tag(Effort.SCALED)
    @Test
    void neverMoreThanThereAre_whoeverTakesThem() {
        List<User> users =
                Stream.of(ours(), theirs(), ours(), theirs()).map(User::new).toList();

        Turns.fair(USES, users.size()).take(users);

        assertThat(most.get()).as("taken at the same time").isEqualTo(PERMITS);
    }

    @Test
    void whatOneHasTheOtherMisses() throws Exception {
        DistributedSemaphore ours = clients.interlock().semaphore("state", PERMITS);
        InterProcessSemaphoreV2 theirs = new InterProcessSemaphoreV2(clients.curator(), "/state", PERMITS);
        dev.interlock.Lease two = ours.acquire(2);
        Lease one = theirs.acquire();
        assertThat(theirs.acquire(100, TimeUnit.MILLISECONDS)).isNull();
        assertThat(ours.tryAcquire()).isEmpty();
        assertThat(ours.availablePermits()).isZero();
        two.close();
        assertThat(theirs.acquire(2, Patience.seconds(), TimeUnit.SECONDS))
                .hasSize(2)
                .allSatisfy(theirs::returnLease);
        assertThat(ours.tryAcquire(3)).isEmpty();
        theirs.returnLease(one);
        ours.acquire(3).close();
    }

    /** Curator's mutex that is not re-entrant is a semaphore of one. */
    @Test
    void theMutexThatIsNotReentrantIsASemaphoreOfOne() throws Exception {
        DistributedSemaphore ours = clients.interlock().semaphore("single", 1);
        InterProcessSemaphoreMutex theirs = new InterProcessSemaphoreMutex(clients.curator(), "/single");
        theirs.acquire();
        assertThat(ours.tryAcquire()).isEmpty();
        theirs.release();
        dev.interlock.Lease lease = ours.acquire();
        assertThat(theirs.acquire(100, TimeUnit.MILLISECONDS)).isFalse();
        lease.close();
        assertThat(theirs.acquire(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        theirs.release();
    }

    private static Permit ours() {
        DistributedSemaphore semaphore = clients.interlock().semaphore("permits", PERMITS);
        return inside -> {
            try (dev.interlock.Lease lease = semaphore.acquire()) {
                inside.run();
                lease.ensureValid();
            }
        };
    }

    private static Permit theirs() {
        InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(clients.curator(), "/permits", PERMITS);
        return inside -> {
            Lease lease = semaphore.acquire();
            inside.run();
            semaphore.returnLease(lease);
        };
    }

    /** One permit of either library. */
    private interface Permit {
        /** Takes a permit, runs this, and gives the permit back. */
        void hold(Runnable inside) throws Exception;
    }

    private final class User implements Turns.User {
        private final Permit permit;

        User(Permit permit) {
            this.permit = permit;
        }

        @Override
        public void enter() throws Exception {
            permit.hold(() -> inside(this::awaitTheOthers));
        }

        @Override
        public void turn() throws Exception {
            // Long enough for one too many to come in, if it may.
            permit.hold(() -> inside(() -> LockSupport.parkNanos(STAY_NANOS)));
        }

        /** Stays until all permits are taken. */
        private void awaitTheOthers() {
            free.countDown();
            try {
                assertThat(free.await(Patience.seconds(), TimeUnit.SECONDS))
                        .as("all permits taken")
                        .isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError("Given up before all permits were taken", e);
            }
        }

        private void inside(Runnable stay) {
            int now = taken.incrementAndGet();
            most.accumulateAndGet(now, Math::max);
            stay.run();
            taken.decrementAndGet();
        }
    }
}
