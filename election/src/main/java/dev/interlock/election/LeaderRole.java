package dev.interlock.election;

import dev.interlock.Candidate;
import dev.interlock.LeaderTask;
import dev.interlock.Lease;
import java.lang.System.Logger.Level;

/** What a candidacy does while it leads. */
interface LeaderRole {

    /**
     * Leads, until the leadership is over or given up here. Called on the thread of the candidacy; does not throw.
     *
     * @return whether it failed, so that the candidacy pauses before it stands again
     */
    boolean lead(LockCandidacy candidacy, Lease leadership);

    /** Whether the thread is interrupted at the end of the leadership. */
    boolean isInterrupted();

    /** Calls a candidate at the beginning and at the end. */
    static LeaderRole of(Candidate candidate) {
        return new LeaderRole() {
            @Override
            public boolean lead(LockCandidacy candidacy, Lease leadership) {
                LockCandidacy.call(() -> candidate.elected(leadership));
                var end = candidacy.awaitEnd(leadership);
                LockCandidacy.call(() -> candidate.ended(leadership, end));
                return false;
            }

            @Override
            public boolean isInterrupted() {
                return false;
            }
        };
    }

    /** Runs a task. */
    static LeaderRole of(String election, LeaderTask task) {
        return new LeaderRole() {
            @Override
            public boolean lead(LockCandidacy candidacy, Lease leadership) {
                Throwable failure = null;
                try {
                    task.lead(leadership);
                } catch (Throwable e) {
                    failure = e;
                }
                boolean led = candidacy.abdicate();
                if (failure == null || (!led && failure instanceof InterruptedException)) {
                    return false;
                }
                LockCandidacy.LOG.log(
                        Level.WARNING, "The task of the leader of election '" + election + "' threw", failure);
                return true;
            }

            @Override
            public boolean isInterrupted() {
                return true;
            }
        };
    }
}
