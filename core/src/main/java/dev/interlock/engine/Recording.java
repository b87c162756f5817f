package dev.interlock.engine;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Begins Flight Recorder events, if somebody may be recording. Until the recorder is used the event classes are not
 * even loaded: their first use sets the recorder up, which takes tens of milliseconds and would delay the start of
 * every short command.
 */
final class Recording {

    private Recording() {}

    /** Begins the event of a lease; null, at the cost of one test, while nobody records. */
    static @Nullable HoldEvent hold(String name, long token) {
        return FlightRecorder.isInitialized() ? HoldEvent.begin(name, token) : null;
    }

    /** Begins the event of a waiting caller; null, at the cost of one test, while nobody records. */
    static @Nullable WaitEvent waiting(String name) {
        return FlightRecorder.isInitialized() ? WaitEvent.begin(name) : null;
    }
}
