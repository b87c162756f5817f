package dev.interlock;

import java.util.Optional;

/** One client's part in an election, from joining to leaving. Thread-safe. */
public interface Candidacy extends AutoCloseable {

    /** {@return the election's name} */
    String name();

    /**
     * {@return whether this client leads} False by the end of the lease at the latest, before anyone else can lead. No
     * I/O. True is a statement about this moment only: give the token of {@link #leadership()} to what you write to.
     */
    boolean isLeader();

    /** {@return the lease of the present leadership; empty if this client does not lead} No I/O. */
    Optional<Lease> leadership();

    /**
     * Gives up the leadership, and stands again behind all who wait. When the method returns, {@link #isLeader()} is
     * false; the next leader comes after {@link Candidate#ended} has returned. Does not block.
     *
     * @return whether this client led
     */
    boolean abdicate();

    /**
     * Begins to leave the election, as {@link #close()} does, and does not wait. When the method returns,
     * {@link #isLeader()} is false. So several candidacies leave side by side: call this for each, and then
     * {@link #close()} for each. Idempotent.
     */
    void leave();

    /**
     * Leaves the election. When the method returns, {@link #isLeader()} is false. Waits until the candidate has been
     * told and the lock is released, for at most {@link InterlockBuilder#closeTimeout} since it began to leave; on the
     * thread of the candidate's own call or task it does not wait. A candidate that is not done by then keeps the lock
     * until it is. Idempotent.
     */
    @Override
    void close();
}
