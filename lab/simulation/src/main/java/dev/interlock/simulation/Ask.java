package dev.interlock.simulation;

/**
 * A call of a user, and what follows when it is granted.
 *
 * @param number tells it from the others of the plan
 * @param process who calls
 * @param name the number of the name
 * @param atNanos when; {@link #FOLLOWS}: as soon as the call with the number before lets go
 * @param want how long it waits
 * @param waitNanos for {@link Want#TIMED}
 * @param share how much of the name: of a read/write lock 0 is a share; of a semaphore the permits; else 1
 * @param isFixed whether the lease is not renewed
 * @param leaseNanos its length
 * @param mostNanos how long a lease is renewed at most; 0: without limit
 * @param holdNanos how long the holder works before it lets go
 * @param end how it lets go
 * @param leaveNanos when the caller gives up by itself, after the call; 0: never
 */
record Ask(
        int number,
        int process,
        int name,
        long atNanos,
        Want want,
        long waitNanos,
        int share,
        boolean isFixed,
        long leaseNanos,
        long mostNanos,
        long holdNanos,
        End end,
        long leaveNanos)
        implements Step {

    /** Instead of a moment. */
    static final long FOLLOWS = -1;

    /** How long a caller waits. */
    enum Want {
        /** For as long as it takes. */
        FOR_EVER,
        /** At most for a time. */
        TIMED,
        /** Not at all. */
        ONCE
    }

    /** The same, made by the process that made another as soon as that lets go. */
    Ask after(Ask other) {
        return new Ask(
                number,
                other.process,
                other.name,
                FOLLOWS,
                want,
                waitNanos,
                share,
                isFixed,
                leaseNanos,
                mostNanos,
                holdNanos,
                end,
                leaveNanos);
    }

    /** How a holder lets go. */
    enum End {
        RELEASE,
        /** It releases twice. */
        RELEASE_TWICE,
        /** It never does: the lease ends by itself. */
        FORGET
    }

    @Override
    public String describe() {
        return Event.processName(process) + " asks (" + number + ") for name " + name
                + (atNanos == FOLLOWS ? " after call " + (number - 1) : " at " + Timeline.millis(atNanos) + " ms")
                + ", "
                + want
                + (want == Want.TIMED ? " " + Timeline.millis(waitNanos) + " ms" : "")
                + ", share " + share + ", " + (isFixed ? "fixed " : "renewed ") + Timeline.millis(leaseNanos) + " ms"
                + (mostNanos > 0 ? " for at most " + Timeline.millis(mostNanos) + " ms" : "")
                + ", holds " + Timeline.millis(holdNanos) + " ms, " + end
                + (leaveNanos > 0 ? ", leaves after " + Timeline.millis(leaveNanos) + " ms" : "");
    }
}
