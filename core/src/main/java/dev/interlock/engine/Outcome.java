package dev.interlock.engine;

/** What a caller gets: a lease, a failure, or neither. A class, since what is nested in an interface is public. */
abstract sealed class Outcome permits EngineLease, Outcome.Failure, Outcome.NoLease {

    /** An exception. */
    static final class Failure extends Outcome {

        private final RuntimeException cause;

        Failure(RuntimeException cause) {
            this.cause = cause;
        }

        RuntimeException cause() {
            return cause;
        }
    }

    /** No lease, and no failure. */
    static final class NoLease extends Outcome {

        /** Somebody else has the lock. */
        static final Outcome REFUSED = new NoLease("refused");

        /** It asked for itself, and now has to line up with the others of its process: another outcome follows. */
        static final Outcome LINE_UP = new NoLease("line up");

        private final String name;

        private NoLease(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
