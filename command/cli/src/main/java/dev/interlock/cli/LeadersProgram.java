package dev.interlock.cli;

import dev.interlock.Candidacy;
import dev.interlock.Candidate;
import dev.interlock.LeadershipEnd;
import dev.interlock.LeadershipEnd.Reason;
import dev.interlock.Lease;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.cli.common.Terminal;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The program of {@code lead}: runs while this process leads.
 *
 * <pre>
 *   WAITING --- elected() ---&gt; RUNNING --- it ends, or ended() ---&gt; WAITING
 *      '--- a signal --.          '--- it ends after a signal, or with --once ---.
 *                      '------------------------------------------------------------&gt; the end of lead
 * </pre>
 *
 * <p>The fields show the state: {@code running} is set while RUNNING, {@code end} is completed at the end. The monitor
 * guards the fields; no signal is sent and nothing is started while it is held.
 */
final class LeadersProgram implements Candidate {

    /** Between two starts, so that a program that fails at once does not keep its machine busy. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Program program;
    private final StoreUri store;
    private final boolean once;
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final CompletableFuture<Candidacy> candidacy = new CompletableFuture<>();

    private @Nullable RunningProgram running;

    /** Whether the program is being started: a signal that is received meanwhile is for it. */
    private boolean starting;

    /** The last of those signals. */
    private @Nullable OsSignal missed;

    /** The last signal that may be meant to end both. */
    private @Nullable OsSignal ending;

    private long startedNanos = System.nanoTime() - PAUSE_NANOS;

    LeadersProgram(Program program, StoreUri store, boolean once) {
        this.program = program;
        this.store = store;
        this.once = once;
    }

    /** Waits for the end of {@code lead}; returns its exit code. */
    int awaitEnd(Candidacy own) {
        candidacy.complete(own);
        return end.join();
    }

    @Override
    public void elected(Lease leadership) {
        pause();
        if (!leadership.isValid() || end.isDone()) {
            return;
        }
        say("leading '" + leadership.name() + "' with token " + leadership.token());
        RunningProgram started;
        try {
            started = start(leadership);
        } catch (CommandException e) {
            end.completeExceptionally(e);
            return;
        }
        started.onExit(() -> candidacy.join().abdicate());
    }

    /** Starts the program, and passes on to it what was received meanwhile. */
    private RunningProgram start(Lease leadership) {
        synchronized (this) {
            starting = true;
        }
        try {
            RunningProgram started = program.start(leadership, store);
            OsSignal early;
            synchronized (this) {
                starting = false;
                running = started;
                startedNanos = System.nanoTime();
                early = missed;
            }
            if (early != null) {
                started.send(early);
            }
            return started;
        } finally {
            synchronized (this) {
                starting = false;
                missed = null;
            }
        }
    }

    private void pause() {
        long due;
        synchronized (this) {
            due = startedNanos + PAUSE_NANOS;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void ended(Lease leadership, LeadershipEnd why) {
        RunningProgram started;
        synchronized (this) {
            started = running;
        }
        if (started == null) {
            return;
        }
        boolean byItself = why.reason() == Reason.ABDICATED;
        started.end();
        int exitCode = started.await();
        say("leading '" + leadership.name() + "' no longer: "
                + (byItself ? "'" + program.given() + "' ended with exit code " + exitCode : why));
        boolean last;
        synchronized (this) {
            running = null;
            last = isLast(exitCode);
        }
        if (last || (once && byItself)) {
            end.complete(exitCode);
        } else if (once) {
            end.completeExceptionally(new CommandException(
                    ExitCode.LOST,
                    "the leadership of '" + leadership.name() + "' was lost (" + why.lossCause() + ") while '"
                            + program.given() + "' ran; somebody else may have led",
                    null));
        }
    }

    /** Whether the program is not to be started again, by the signals it was sent and how it ended. */
    private boolean isLast(int exitCode) {
        return ending != null && (ending != OsSignal.HUP || exitCode == OsSignal.HUP.exitCode());
    }

    /** A signal for this process. */
    void received(OsSignal signal) {
        boolean ends = signal != OsSignal.USR1 && signal != OsSignal.USR2;
        RunningProgram target;
        synchronized (this) {
            target = running;
            if (ends) {
                ending = signal;
            }
            if (starting) {
                missed = signal;
                return;
            }
        }
        if (target != null) {
            if (!(signal == OsSignal.INT && Terminal.isForeground())) {
                target.send(signal);
            }
        } else if (ends) {
            end.complete(signal.exitCode());
        }
    }

    /** Does not leave the program behind, whatever ended {@code lead}. */
    void stop() {
        RunningProgram started;
        synchronized (this) {
            started = running;
        }
        if (started != null) {
            started.end();
        }
    }

    private static void say(String line) {
        System.err.println("interlock: " + Printable.of(line));
    }
}
