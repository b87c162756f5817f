package dev.interlock.cli;

import dev.interlock.cli.common.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * Passes the signals that this process receives on to the program. Before the program is started, a signal ends the
 * wait for the lock.
 *
 * <pre>
 *   WAITING --- a signal ---&gt; INTERRUPTED --- passTo() ---.
 *      '----------------- passTo() ---------------------&gt; RUNNING
 * </pre>
 *
 * <p>The fields show the state: neither is set, {@code early} is set, {@code program} is set. The monitor guards them,
 * and no signal is sent while it is held.
 */
final class SignalRelay {

    private final Thread waiter;

    private @Nullable RunningProgram program;

    /** The first signal that was received before the program was started. */
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
        RunningProgram target = targetOf(signal);
        if (target != null && !(signal == OsSignal.INT && Terminal.isForeground())) {
            target.send(signal);
        }
    }

    private synchronized @Nullable RunningProgram targetOf(OsSignal signal) {
        if (program == null && early == null) {
            early = signal;
            waiter.interrupt();
        }
        return program;
    }

    /** The signal that was received before the program was started, or null. */
    synchronized @Nullable OsSignal early() {
        return early;
    }

    /** From now on signals go to this program, also one that was received while it was being started. */
    void passTo(RunningProgram started) {
        OsSignal missed;
        synchronized (this) {
            program = started;
            missed = early;
        }
        // Clears the interrupt that came with it: from now on only the program's end ends the wait.
        Thread.interrupted();
        if (missed != null) {
            started.send(missed);
        }
    }
}
