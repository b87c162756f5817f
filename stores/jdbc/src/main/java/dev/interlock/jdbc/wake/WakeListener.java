package dev.interlock.jdbc.wake;

import java.io.IOException;
import java.time.Duration;

/**
 * Receives wakes from {@link #start} to {@link #stop}, or until it breaks. Single-use. Only the thread that has the
 * session lock of the store calls these methods, but for {@link #awaitEnd}.
 */
public interface WakeListener {

    /** How long after the start of a listener that broke the next one may start. */
    Duration PAUSE = Duration.ofSeconds(5);

    /** Where it listens. The tables store this with a waiting claim, so that others find the client. */
    String channel();

    /** Whether it listens, or is expected to listen soon. */
    boolean isExpectedToListen();

    /** Whether every wake that is sent from now on arrives. */
    boolean isListening();

    /** Whether it may still begin to listen. */
    boolean isAlive();

    /** Starts to listen, without waiting. If this fails, it leaves nothing behind. */
    void start() throws IOException;

    /** Stops listening, also if it has not begun to listen yet. */
    void stop();

    /**
     * Waits until a listener that was stopped has given its connection back, if it has one, or for {@code limit}. An
     * interrupt ends the wait, and is kept. Any thread may call this.
     */
    default void awaitEnd(Duration limit) {}
}
