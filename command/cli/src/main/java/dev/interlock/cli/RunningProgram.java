package dev.interlock.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program that was started: its end, and signals to it. */
final class RunningProgram {

    private static final long KILL_AFTER_SECONDS = 5;

    private final long pid;
    private final CompletableFuture<Integer> exit;

    /**
     * A program that somebody waits for.
     *
     * @param exit its exit code at its end: 128 + the signal's number if one ended it
     */
    RunningProgram(long pid, CompletableFuture<Integer> exit) {
        this.pid = pid;
        this.exit = exit;
    }

    /** A child of this process. */
    static RunningProgram of(Process child) {
        return new RunningProgram(child.pid(), child.onExit().thenApply(Process::exitValue));
    }

    /** Calls this when the program has ended. */
    void onExit(Runnable action) {
        var unused = exit.whenComplete((exitCode, failure) -> action.run());
    }

    /** Waits for the end and returns the exit code. */
    int await() {
        while (true) {
            try {
                return exit.get();
            } catch (InterruptedException e) {
                // Only the program's end ends this wait, because its lock is held until then.
                Thread.interrupted();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException failure ? failure : new CompletionException(e);
            }
        }
    }

    /** Sends the signal, unless the program has ended. */
    void send(OsSignal signal) {
        if (!exit.isDone()) {
            signal.send(pid);
        }
    }

    /** Sends TERM, and KILL if the program has not ended after 5 s. */
    void end() {
        send(OsSignal.TERM);
        try {
            exit.get(KILL_AFTER_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            kill();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // It has ended; whoever awaits it learns how.
        }
    }

    private void kill() {
        if (!exit.isDone()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
