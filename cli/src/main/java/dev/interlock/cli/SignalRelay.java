package dev.interlock.cli;

import org.jspecify.annotations.Nullable;

/**
 * Passes the signals that this process receives on to the program, or, while there is none yet, ends the wait for the
 * lock.
 */
final class SignalRelay {

    private final Thread waiter;

    /** Guarded by this. */
    private @Nullable Process program;

    /** The first signal that came before the program was started. Guarded by this. */
    private @Nullable OsSignal early;

    private SignalRelay(Thread waiter) {
        this.waiter = waiter;
    }

    /** Starts relaying; this thread is interrupted by signals that come before {@link #passTo}. */
    static SignalRelay install() {
        SignalRelay relay = new SignalRelay(Thread.currentThread());
        OsSignal.onReceived(relay::received);
        return relay;
    }

    private void received(OsSignal signal) {
        Process target = targetOf(signal);
        if (target != null && !(signal == OsSignal.INT && Terminal.isForeground())) {
            signal.send(target);
        }
    }

    private synchronized @Nullable Process targetOf(OsSignal signal) {
        if (program == null && early == null) {
            early = signal;
            waiter.interrupt();
        }
        return program;
    }

    /** The signal that came before there was a program, or null. */
    synchronized @Nullable OsSignal early() {
        return early;
    }

    /** From now on signals are for this program: also one that came while it was being started. */
    void passTo(Process started) {
        OsSignal missed;
        synchronized (this) {
            program = started;
            missed = early;
        }
        // Not the interrupt that came with it: from here on only the program's end ends the wait.
        Thread.interrupted();
        if (missed != null) {
            missed.send(started);
        }
    }
}
