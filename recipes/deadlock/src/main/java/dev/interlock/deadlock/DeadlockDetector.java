package dev.interlock.deadlock;

import dev.interlock.InterlockBuilder;

/**
 * Finds deadlocks between the processes that share a store. A caller whose wait closes a circle gets a
 * {@link DeadlockException} that shows the circle.
 *
 * <pre>{@code
 * Interlock interlock = DeadlockDetector.addTo(Interlock.builder("redis://localhost:6379")).build();
 * }</pre>
 *
 * <p>All clients whose callers are to be found need one. A holder whose client has none counts as one that will let go.
 *
 * <p><b>Who holds.</b> A thread holds what it has locked by {@code lock()}. A lease that was acquired as a handle, as
 * all permits of a semaphore are, may be closed by any thread: it counts only if the options of its lock name a
 * {@link dev.interlock.LockOptions.Builder#participant participant}, which then holds it. A participant is one
 * activity: if it waits, it counts as doing nothing else, in whichever thread.
 *
 * <p><b>Who waits.</b> A thread that is blocked, and a participant, also by a future. A wait with a limit counts as one
 * without. Who has waited for less than 200 ms causes no request.
 *
 * <p><b>Who gets the exception.</b> The one whose wait came last of all that wait for each other; the store says which
 * that is. A process that does not run cannot end its wait, but then its leases end. A process that has died counts as
 * waiting until its record ends, for up to 10 s.
 *
 * <p>The store must have read/write locks, in which the clients tell each other of their waits.
 */
public final class DeadlockDetector {

    private DeadlockDetector() {}

    /**
     * Adds a detector to the client that is to be built. From then on {@link InterlockBuilder#build} throws
     * {@link UnsupportedOperationException} if the store has no read/write locks, and {@link IllegalArgumentException}
     * if the prefix of the client's names is too long.
     *
     * @param builder the builder of the client; not null
     * @return the builder
     */
    public static InterlockBuilder addTo(InterlockBuilder builder) {
        var unused = Detector.addTo(builder, Timing.USUAL);
        return builder;
    }
}
