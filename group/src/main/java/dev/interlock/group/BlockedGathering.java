package dev.interlock.group;

import java.util.Optional;

/** A caller that waits for a gathering in its own thread. */
record BlockedGathering(Gathering<Optional<GroupLease>> gathering) {

    /** Waits; an interrupt ends the wait. */
    Optional<GroupLease> untilInterrupted() throws InterruptedException {
        return outcome(true);
    }

    /** Waits; an interrupt is kept for later. */
    Optional<GroupLease> uninterruptibly() {
        try {
            return outcome(false);
        } catch (InterruptedException e) {
            throw new AssertionError("An uninterruptible wait was interrupted", e);
        }
    }

    private Optional<GroupLease> outcome(boolean interruptible) throws InterruptedException {
        boolean interrupted = false;
        gathering.start();
        try {
            while (true) {
                try {
                    return gathering.await();
                } catch (InterruptedException e) {
                    if (interruptible && gathering.giveUp()) {
                        throw e;
                    }
                    // The outcome had been decided first and counts; the interrupt is for whoever looks next.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
