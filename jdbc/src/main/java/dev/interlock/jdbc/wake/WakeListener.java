package dev.interlock.jdbc.wake;

import java.io.IOException;
import java.time.Duration;

/**
 * Hears of wakes from {@link #begin} to {@link #end}, or until it breaks; once. For whoever has the turn of the
 * {@link Worker}.
 */
public interface WakeListener {

    /** How long after the begin of one that broke the next may begin. */
    Duration PAUSE = Duration.ofSeconds(5);

    /** Where it listens: what stands with a claim, so that others find it. */
    String channel();

    /** Whether it listens, or is to be counted on to do so soon. */
    boolean isOn();

    /** Whether nothing is missed any more. */
    boolean isListening();

    /** Whether it may listen yet. */
    boolean isAlive();

    /** Begins to listen, and waits for nobody. If that fails it leaves nothing behind. */
    void begin() throws IOException;

    /** Ends listening, also what has not come so far. */
    void end();
}
