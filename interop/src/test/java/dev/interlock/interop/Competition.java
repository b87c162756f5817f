package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Clients that want one lock all the time: the proof that they excluded each other (I2), and how often each got it. For single use. */
final class Competition {

    // No order is promised between processes; but nobody may be left out.
    private static final double LEAST_SHARE = 0.1;

    private final String name;
    private final int acquisitions;
    private final HistoryChecker history = new HistoryChecker();
    private final AtomicInteger begun = new AtomicInteger();
    // Protected by the lock under test alone.
    private long unprotected;

    Competition(String name, int acquisitions) {
        this.name = name;
        this.acquisitions = acquisitions;
    }

    /** Lets each of these use the lock on a thread of its own; fails if two were inside at once, or if one of them got less than a tenth of its fair share. */
    void run(List<Lock> locks) {
        List<Integer> shares = compete(locks);
        history.check();
        assertThat(history.size()).isEqualTo(acquisitions);
        assertThat(unprotected).isEqualTo(acquisitions);
        int fair = acquisitions / locks.size();
        assertThat(shares).as("in the order of the clients").allMatch(share -> share >= LEAST_SHARE * fair);
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
                    .map(run -> run.orTimeout(10, TimeUnit.MINUTES).join())
                    .toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private int use(Lock lock, String owner) {
        int own = 0;
        while (begun.incrementAndGet() <= acquisitions) {
            lock.lock();
            try {
                long begin = System.nanoTime();
                long before = unprotected;
                // Two that are inside would both write what they read before.
                Thread.onSpinWait();
                unprotected = before + 1;
                // The count stands in for a token, which other libraries' locks do not have: it repeats when an update
                // is lost.
                history.add(new Hold(name, owner, unprotected, begin, System.nanoTime()));
            } finally {
                lock.unlock();
            }
            own++;
        }
        return own;
    }
}
