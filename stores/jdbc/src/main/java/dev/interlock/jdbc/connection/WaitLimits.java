package dev.interlock.jdbc.connection;

import java.time.Duration;

/** How long the store waits for a database at most. */
public final class WaitLimits {

    /**
     * The longest wait for rows, or for a file, that others have locked: half of the time that the engine gives a
     * request, so that the engine receives the failure rather than no answer.
     */
    public static final Duration LOCK_WAIT = Duration.ofSeconds(1);

    /** The longest wait for an answer from the network: a silent server does not keep the worker from others longer. */
    public static final int NETWORK_MS = 2_000;

    private WaitLimits() {}
}
