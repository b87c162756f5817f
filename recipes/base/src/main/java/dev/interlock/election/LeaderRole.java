package dev.interlock.election;

import dev.interlock.Candidate;
import dev.interlock.LeaderTask;
import dev.interlock.Lease;
import org.jspecify.annotations.Nullable;

/** What a candidacy does while it leads; {@code toString} names it at the beginning of a sentence. */
interface LeaderRole {

    /**
     * Leads, until the leadership is over or given up here. Called on the thread of the candidacy; does not throw.
     *
     * @return what the user's code threw, so that this leader did not do its work; null if it did
     */
    @Nullable
    Throwable lead(LockCandidacy candidacy, Lease leadership);

    /** Whether the thread is interrupted at the end of the leadership. */
    boolean isInterrupted();

    /** Calls a candidate at the beginning and at the end. One that throws at the beginning gives way. */
    static LeaderRole of(Candidate candidate) {
        return new LeaderRole() {
            @Override
            public @Nullable Throwable lead(LockCandidacy candidacy, Lease leadership) {
                Throwable failure = null;
                try {
                    candidate.elected(leadership);
                } catch (Throwable e) {
                    failure = e;
                    candidacy.abdicate();
                }
                var end = candidacy.awaitEnd(leadership);
                LockCandidacy.call(() -> candidate.ended(leadership, end));
                return failure;
            }

            @Override
            public boolean isInterrupted() {
                return false;
            }

            @Override
            public String toString() {
                return "The candidate that was elected leader";
            }
        };
    }

    /** Runs a task. */
    static LeaderRole of(LeaderTask task) {
        return new LeaderRole() {
            @Override
            public @Nullable Throwable lead(LockCandidacy candidacy, Lease leadership) {
                Throwable failure = null;
                try {
                    task.lead(leadership);
                } catch (Throwable e) {
                    failure = e;
                }
                boolean led = candidacy.abdicate();
                return !led && failure instanceof InterruptedException ? null : failure;
            }

            @Override
            public boolean isInterrupted() {
                return true;
            }

            @Override
            public String toString() {
                return "The task of the leader";
            }
        };
    }
}
