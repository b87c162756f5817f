package dev.interlock.evidence;

import org.jspecify.annotations.Nullable;

/**
 * What came of a trial.
 *
 * @param subject whom it was about
 * @param fault what struck
 * @param findings what the history shows; null if the trial itself failed
 * @param failure why it failed; empty if it did not
 * @param load how busy the machine was at its end
 */
record Result(Subject subject, Fault fault, @Nullable Findings findings, String failure, double load) {

    /** Why the run is no evidence because of this trial; empty if it is. */
    String objection() {
        String name = subject.id() + " under " + fault.id();
        if (findings == null) {
            return name + " was not run: " + failure;
        }
        if (findings.strikes() == 0) {
            return name + ": the fault never struck";
        }
        if (subject.isControl() && !findings.isConvicted()) {
            return name + ": the checker did not convict a lock with a mistake";
        }
        return "";
    }
}
