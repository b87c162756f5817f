package dev.interlock.zookeeper;

import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.history.FencedCell;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.Assertions;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Clients with sessions of their own, two threads each, that acquire one lock all the time and write to a fenced
 * resource under it, whatever happens to the servers. A hold lasts as long as its lease is valid. Holds must not
 * overlap (I2), tokens must increase (I3), and a write under a valid lease must be accepted (I1).
 */
final class EnsembleLoad implements AutoCloseable {

    private static final Duration WAIT = Duration.ofMillis(500);
    private static final LeaseTerm TERM = LeaseTerm.renewing(Duration.ofSeconds(6));
    private static final int THREADS = 2;

    private final String name;
    private final List<Interlock> clients;
    private final List<Thread> threads = new ArrayList<>();
    private final List<AtomicLong> grants = new ArrayList<>();
    private final HistoryChecker history = new HistoryChecker();
    private final FencedCell cell = new FencedCell();
    private final Map<String, String> problems = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Queue<String> late = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /** Begins at once; closes the clients at the end. */
    EnsembleLoad(String name, List<Interlock> clients) {
        this.name = name;
        this.clients = List.copyOf(clients);
        for (int i = 0; i < clients.size(); i++) {
            DistributedLock lock = clients.get(i).lock(name);
            AtomicLong own = new AtomicLong();
            grants.add(own);
            for (int j = 0; j < THREADS; j++) {
                String owner = "client " + i + " thread " + j;
                threads.add(new Thread(() -> work(lock, owner, own), owner));
            }
        }
        threads.forEach(Thread::start);
    }

    /** Returns when each client has got the lock so often since this call. */
    void awaitTurns(int turns) {
        List<Long> before = grants.stream().map(AtomicLong::get).toList();
        try {
            await().until(() -> {
                Assertions.assertThat(wrong).isEmpty();
                return haveHad(before, turns);
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    "Not every client got its " + turns + " turns: lock=" + name + ", turns before=" + before + ", now="
                            + grants
                            + ", last told that the servers do not answer=" + problems + ", lock by the first="
                            + clients.get(0).administration().inspect(name),
                    e);
        }
    }

    private boolean haveHad(List<Long> before, int turns) {
        for (int i = 0; i < grants.size(); i++) {
            if (grants.get(i).get() < before.get(i) + turns) {
                return false;
            }
        }
        return true;
    }

    /** Ends the work and looks at all of it. */
    void check() {
        end();
        Assertions.assertThat(late).isEmpty();
        history.check();
    }

    /**
     * The same where somebody has ended sessions before their time: no client can know of that at once, so leases may
     * overlap, and the resource has to refuse the late writer.
     */
    void checkFences() {
        end();
        Assertions.assertThat(history.violations()).noneMatch(violation -> violation.contains("two owners"));
    }

    private void end() {
        stopped = true;
        threads.forEach(EnsembleLoad::join);
        Assertions.assertThat(wrong).isEmpty();
        Assertions.assertThat(cell.value()).isEqualTo(cell.accepted()).isPositive();
    }

    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
        threads.forEach(EnsembleLoad::join);
        clients.forEach(Interlock::close);
    }

    private void work(DistributedLock lock, String owner, AtomicLong own) {
        while (!stopped) {
            try {
                lock.tryAcquire(WAIT, TERM).ifPresent(lease -> use(lease, owner, own));
            } catch (StoreUnavailableException e) {
                problems.put(owner, String.valueOf(e));
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                wrong.add(owner + ": " + e);
            }
        }
    }

    private void use(Lease lease, String owner, AtomicLong own) {
        try (lease) {
            long begin = System.nanoTime();
            if (!lease.isValid()) {
                return;
            }
            boolean accepted = cell.write(lease.token(), owner, value -> value + 1);
            long end = System.nanoTime();
            if (!lease.isValid()) {
                return;
            }
            if (!accepted) {
                late.add("A write under a valid lease was refused: owner=" + owner + " token=" + lease.token());
            }
            history.add(new Hold(name, owner, lease.token(), begin, end));
            own.incrementAndGet();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(Patience.limit().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Assertions.assertThat(thread.isAlive())
                .as(thread.getName() + " still runs")
                .isFalse();
    }
}
