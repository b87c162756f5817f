package dev.interlock;

/** What a leader does for as long as it leads. */
@FunctionalInterface
public interface LeaderTask {

    /**
     * Does the leader's work. Its thread is interrupted when the leadership ends; then it should return soon. When it
     * returns or throws before, the client gives up the leadership.
     *
     * @param leadership the lease, as in {@link Candidate#elected}
     * @throws Exception is logged, except an {@link InterruptedException} at the end of the leadership
     */
    void lead(Lease leadership) throws Exception;
}
