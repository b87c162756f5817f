package dev.interlock;

/**
 * Who stands in an election. Its methods are called on one daemon thread. They should return soon: while
 * {@link #elected} runs, the end cannot be told. Long work is a {@link LeaderTask}. If a method throws, the exception
 * is logged, and the candidacy goes on. If that is {@link #elected}, the client gives the leadership up, as by
 * {@link Candidacy#abdicate()}, and stands again after a pause that grows from a second to 30 s.
 */
public interface Candidate {

    /**
     * This client leads now.
     *
     * @param leadership the lease; its token is larger than that of every leadership before. To end it call
     *     {@link Candidacy#abdicate()}: if you release the lease itself, others may lead before {@link #ended} is
     *     called
     */
    void elected(Lease leadership);

    /**
     * This client does not lead any more. It stops here whatever only the leader may do. If it gives up the leadership,
     * nobody else leads before this method has returned. If it has lost it by time, nobody else leads before the lease
     * is over in the store, a margin later than here; otherwise somebody else may lead already.
     *
     * @param leadership the lease that is over
     * @param end why it is over
     */
    void ended(Lease leadership, LeadershipEnd end);
}
