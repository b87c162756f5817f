package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedSemaphore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
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
    private static final long STAY_NANOS = 2_000_000;
    private static final double LEAST_SHARE = 0.1;

    private static ZooKeeperClients clients;

    private final AtomicInteger begun = new AtomicInteger();
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
        List<Integer> shares = compete(List.of(ours("permits"), theirs("permits"), ours("permits"), theirs("permits")));

        assertThat(most.get()).as("taken at the same time").isGreaterThan(1);
        assertThat(shares)
                .as("Interlock, Curator, Interlock, Curator")
                .allMatch(share -> share >= LEAST_SHARE * USES / shares.size());
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

    private Callable<Boolean> ours(String name) {
        DistributedSemaphore semaphore = clients.interlock().semaphore(name, PERMITS);
        return () -> {
            try (dev.interlock.Lease lease = semaphore.acquire()) {
                inside();
                lease.ensureValid();
            }
            return true;
        };
    }

    private Callable<Boolean> theirs(String name) {
        CuratorFramework curator = clients.curator();
        InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(curator, "/" + name, PERMITS);
        return () -> {
            Lease lease = semaphore.acquire();
            inside();
            semaphore.returnLease(lease);
            return true;
        };
    }

    private List<Integer> compete(List<Callable<Boolean>> users) {
        StartLine start = new StartLine(users.size());
        ExecutorService threads = Executors.newFixedThreadPool(users.size());
        try {
            List<CompletableFuture<Integer>> runs = new ArrayList<>();
            users.forEach(user ->
                    runs.add(CompletableFuture.supplyAsync(() -> CuratorLock.call(() -> use(user, start)), threads)));
            List<Integer> shares = runs.stream()
                    .map(run -> run.orTimeout(10, TimeUnit.MINUTES).join())
                    .toList();
            assertThat(most.get()).as("taken at the same time").isLessThanOrEqualTo(PERMITS);
            return shares;
        } finally {
            threads.shutdownNow();
        }
    }

    private int use(Callable<Boolean> once, StartLine start) throws Exception {
        start.cross(once::call);
        int own = 0;
        while (begun.incrementAndGet() <= USES) {
            once.call();
            own++;
        }
        return own;
    }

    private void inside() {
        int now = taken.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
        // Long enough for another one to come in, if it may.
        LockSupport.parkNanos(STAY_NANOS);
        taken.decrementAndGet();
    }
}
