package dev.interlock.engine;

import dev.interlock.Lease;
import dev.interlock.spi.WorkLease;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Code of the user that recipes and adapters run under leases of this client. What it needs is not released when the
 * client closes. Thread-safe.
 */
final class Works {

    /** Stands for code that runs anywhere: no thread has this id. */
    private static final long ANYWHERE = 0;

    private final Set<Work> running = ConcurrentHashMap.newKeySet();

    /** Code that runs under a lease. */
    private final class Work implements WorkLease.Work {
        private final Lease lease;
        private final long threadId;

        private Work(Lease lease, long threadId) {
            this.lease = lease;
            this.threadId = threadId;
        }

        @Override
        public void close() {
            if (threadId != ANYWHERE) {
                running.remove(this);
            }
        }
    }

    /**
     * Code begins to run under a lease. Called under the monitor of the lease's arbiter: a client that closes has
     * either ended the lease before, or sees this.
     */
    WorkLease.Work begin(Lease lease, WorkLease.Place place) {
        boolean here = place == WorkLease.Place.THIS_THREAD;
        Work work = new Work(lease, here ? Thread.currentThread().getId() : ANYWHERE);
        running.add(work);
        return work;
    }

    /** The lease of code that runs anywhere is over. */
    void over(WorkLease.Work work) {
        running.remove((Work) work);
    }

    /** Whether this thread runs such code, or may. */
    boolean mayBeDoneBy(long threadId) {
        return running.stream().anyMatch(work -> work.threadId == threadId || work.threadId == ANYWHERE);
    }

    /** Whether such code needs the lease, which this thread has acquired: runs under it, or on that thread. */
    boolean need(Lease lease, long threadId) {
        return running.stream().anyMatch(work -> work.lease == lease || work.threadId == threadId);
    }

    /** Whether there is any but that of the calling thread, which cannot wait for itself. */
    boolean isAnyElsewhere() {
        long own = Thread.currentThread().getId();
        return running.stream().anyMatch(work -> work.threadId != own);
    }
}
