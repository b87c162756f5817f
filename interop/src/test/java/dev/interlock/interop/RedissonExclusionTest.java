package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two clients of ours and two of Redisson on one name (I2): never two inside, and everybody gets a share. */
class RedissonExclusionTest {

    private static final String NAME = "interop:shared";
    private static final int ACQUISITIONS = Effort.pick(5_000, 20_000);
    private static final int CLIENTS = 4;
    // No order is promised between processes; but nobody may be left out.
    private static final double LEAST_SHARE = 0.1;

    private final HistoryChecker history = new HistoryChecker();
    private final AtomicInteger begun = new AtomicInteger();
    // Protected by the lock under test alone.
    private long unprotected;

    @Tag(Effort.SCALED)
    @Test
    void twoOfEachExcludeEachOtherAndNobodyStarves() {
        try (Clients clients = new Clients()) {
            List<Lock> locks = List.of(
                    clients.interlock(true).lock(NAME),
                    clients.redisson().getLock(NAME),
                    clients.interlock(true).lock(NAME),
                    clients.redisson().getLock(NAME));
            List<Integer> shares = compete(locks);
            history.check();
            assertThat(history.size()).isEqualTo(ACQUISITIONS);
            assertThat(unprotected).isEqualTo(ACQUISITIONS);
            int fair = ACQUISITIONS / CLIENTS;
            assertThat(shares)
                    .as("Interlock, Redisson, Interlock, Redisson")
                    .allMatch(share -> share >= LEAST_SHARE * fair);
        }
    }

    private List<Integer> compete(List<Lock> locks) {
        ExecutorService threads = Executors.newFixedThreadPool(locks.size());
        try {
            List<CompletableFuture<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < locks.size(); i++) {
                Lock lock = locks.get(i);
                String owner = "client " + i;
                runs.add(CompletableFuture.supplyAsync(() -> use(lock, owner), threads));
            }
            return runs.stream()
                    .map(run -> run.orTimeout(5, TimeUnit.MINUTES).join())
                    .toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private int use(Lock lock, String owner) {
        int own = 0;
        while (begun.incrementAndGet() <= ACQUISITIONS) {
            lock.lock();
            try {
                long begin = System.nanoTime();
                long before = unprotected;
                // Two that are inside would both write what they read before.
                Thread.onSpinWait();
                unprotected = before + 1;
                // The count stands in for a token, which Redisson's lock does not have: it repeats when an update is
                // lost.
                history.add(new Hold(NAME, owner, unprotected, begin, System.nanoTime()));
            } finally {
                lock.unlock();
            }
            own++;
        }
        return own;
    }
}
