package dev.interlock.spring.boot;

import dev.interlock.LockObserver;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Leases whose last renewal has failed, and how many were lost: for the health of the application, at no cost for locks
 * that are renewed in time. Thread-safe.
 */
public final class LeaseWatch implements LockObserver {

    /**
     * The owners whose last renewal has failed, until it succeeds or the lease would have ended, by the local clock.
     */
    private final Map<String, Long> atRisk = new ConcurrentHashMap<>();

    private final AtomicLong lost = new AtomicLong();

    /** The same for all acquisitions. */
    private final Acquisition losses = new Acquisition() {
        @Override
        public void ended(ReleaseOutcome outcome, Duration held) {
            if (outcome.isLost()) {
                lost.incrementAndGet();
            }
        }
    };

    @Override
    public void renewed(String name, String owner) {
        if (!atRisk.isEmpty()) {
            atRisk.remove(owner);
        }
    }

    @Override
    public void renewalFailed(String name, String owner, Duration remaining, StoreUnavailableException failure) {
        atRisk.put(owner, System.nanoTime() + remaining.toNanos());
    }

    @Override
    public Acquisition acquiring(String name, LockKind kind, Mode mode) {
        return losses;
    }

    /** How many claims could not be renewed when that was last tried, and have not ended since. */
    int atRisk() {
        long now = System.nanoTime();
        atRisk.values().removeIf(end -> end - now <= 0);
        return atRisk.size();
    }

    /** How many leases have been lost since the application started. */
    long lost() {
        return lost.get();
    }
}
