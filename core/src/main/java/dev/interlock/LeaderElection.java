package dev.interlock;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * An election: of all clients that stand as candidates, one leads.
 *
 * <p>The leader holds the plain lock of the election's name, on a renewing lease, and the candidates wait for it: in
 * the order of arrival where the store can ({@link LockOptions.Builder#fair}). So what {@link DistributedLock} promises
 * applies to the leader, and an administrator inspects and forces an election as a lock. The lease's token numbers the
 * leaderships: each has a larger one than all before it.
 *
 * <p>A client stands once in an election. Thread-safe; cheap to create, and needs no closing.
 */
public interface LeaderElection {

    /** {@return the election's name} */
    String name();

    /**
     * Joins the election. The candidate is told on a daemon thread of its own, one call after the other. Does no I/O
     * itself: the thread keeps trying while the store is not available. The candidacy ends when it or the client is
     * closed.
     *
     * @param candidate learns when it is elected, and when that ends
     * @return the candidacy
     * @throws IllegalStateException if this client stands in the election already, or is closed
     */
    Candidacy join(Candidate candidate);

    /**
     * Joins the election, and runs {@code task} on a daemon thread of its own while this client leads. The thread is
     * interrupted when the leadership ends. A leadership that the client gives up ends for the others when the task has
     * returned. The client joins again after each leadership, also after one that ended because the task returned. If
     * the task threw, which is logged, that is a second later; if it throws, or returns within a second, again and
     * again, after a growing pause of up to 30 s, of which one warning tells.
     *
     * @param task what the leader does
     * @return the candidacy
     * @throws IllegalStateException if this client stands in the election already, or is closed
     */
    Candidacy join(LeaderTask task);

    /**
     * Follows the election without standing in it. The listener is told who leads now, and then of each change, on a
     * daemon thread of its own. The thread asks the store as often as a waiter does that is not woken
     * ({@link InterlockBuilder#pollCap}): a leadership that begins and ends between two of its questions remains
     * unseen.
     *
     * @param listener receives the leader as the store shows it, or empty if there is none
     * @return ends the following when it is closed
     * @throws IllegalStateException if the client is closed
     */
    Observation observe(Consumer<Optional<LockStatus.Holder>> listener);

    /**
     * {@return who leads, since when, and who waits: the holder and the waiters of the lock} Asks the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    LockStatus inspect();

    /** Follows an election until it is closed. */
    interface Observation extends AutoCloseable {

        /** Ends the following. A call of the listener that is under way is not waited for. Idempotent. */
        @Override
        void close();
    }
}
