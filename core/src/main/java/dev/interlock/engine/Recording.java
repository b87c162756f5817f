package dev.interlock.engine;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Begins Flight Recorder events, if somebody may be recording. As long as the recorder has never been used the event
 * classes are not even loaded: their first use sets the recorder up, which takes tens of milliseconds and would be felt
 * at the start of every short command.
 */
final class Recording {

    private Recording() {}

    /** The event of a lease from now on; null, at the cost of one test, while nobody records. */
    static @Nullable HoldEvent hold(String name, long token) {
        return FlightRecorder.isInitialized() ? HoldEvent.begin(name, token) : null;
    }

    /** The event of a caller that waits from now on; null, at the cost of one test, while nobody records. */
    static @Nullable WaitEvent waiting(String name) {
        return FlightRecorder.isInitialized() ? WaitEvent.begin(name) : null;
    }
}
