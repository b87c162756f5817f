package dev.interlock.deadlock;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Whether rounds are made: while somebody waits, one after the other, and never two at a time.
 *
 * <pre>
 *   OFF  -> ON    somebody waits, and begins rounds
 *   ON   -> ON    a round has found somebody
 *        -> OFF   a round has found nobody, and nobody has come meanwhile
 * </pre>
 *
 * <p>Thread-safe, without a lock. Whoever waits says so before asking here, and a round asks for that once more after
 * it was off duty: one of the two sees the other. The flag decides which of them makes the next round.
 */
final class Duty {

    private final BooleanSupplier somebodyWaits;
    private final AtomicBoolean on = new AtomicBoolean();

    /** @param somebodyWaits any thread may call it */
    Duty(BooleanSupplier somebodyWaits) {
        this.somebodyWaits = somebodyWaits;
    }

    /** Somebody waits. Returns whether the caller has to begin rounds; costs nothing while they are made. */
    boolean begin() {
        return !on.get() && on.compareAndSet(false, true);
    }

    /** A round ends. Returns whether another one has to follow it. */
    boolean goesOn() {
        if (somebodyWaits.getAsBoolean()) {
            return true;
        }
        on.set(false);
        return somebodyWaits.getAsBoolean() && begin();
    }
}
