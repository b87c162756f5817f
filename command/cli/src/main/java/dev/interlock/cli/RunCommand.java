package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code interlock run}. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Hold a lock while a program runs.",
        customSynopsis =
                "interlock run [--store URI] [-n | -w DURATION] [-E CODE] [--lease DURATION] [--fair | --shared | "
                        + "--exclusive | --permits N/M] [-v] NAME [--] COMMAND [ARG...]",
        footer = {
            "",
            "DURATION is a number with a unit, " + Durations.SYNTAX + ".",
            "",
            "The program finds everything as if it were started in the place of interlock; HUP, INT, TERM, USR1 and "
                    + "USR2 are passed on to it.",
            "Its environment has INTERLOCK_NAME, INTERLOCK_TOKEN (the fencing token) and INTERLOCK_STORE (without "
                    + "the password).",
            "",
            "Exit code: the program's; 128 + signal number if a signal ended it; and",
            "  64  wrong usage            75   the lock is busy, or the wait is over (-E changes it)",
            "  69  store unavailable      126  the program cannot be executed",
            "  74  the lock was lost      127  the program is not found",
            "When the lock is lost the program gets TERM, after 5 s KILL."
        })
final class RunCommand implements Callable<Integer> {

    /** Within less time than this, a healthy store may leave a request unanswered. */
    private static final Duration SHORT_REST = Duration.ofSeconds(1);

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Mixin
    private LeaseOption lease = new LeaseOption();

    @Mixin
    private KindOptions kind = new KindOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock: 1 to 512 bytes of UTF-8.")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "The program and its arguments.")
    private List<String> words = new ArrayList<>();

    /** Takes an option without a value; false if it is none, or was given before. */
    boolean take(String option) {
        return common.take(option) || waiting.take(option) || kind.take(option);
    }

    /**
     * Takes an option with its value; false as above.
     *
     * @throws IllegalArgumentException if the value is not one of the option's
     */
    boolean take(String option, String value) {
        return common.take(option, value)
                || waiting.take(option, value)
                || lease.take(option, value)
                || kind.take(option, value);
    }

    /** Takes NAME and what stands behind it. */
    void take(String newName, List<String> newWords) {
        name = newName;
        words = newWords;
    }

    /** Runs the command, and reports what ends it; returns the exit code. */
    int execute(ErrorReporter errors) {
        try {
            return call();
        } catch (RuntimeException e) {
            return errors.failed(e, common.verbose());
        }
    }

    @Override
    public Integer call() {
        check();
        Program program = Program.of("run", words);
        LeaseTerm term = lease.term();
        StoreUri store = common.store();
        SignalRelay signals = SignalRelay.install();
        try (Interlock interlock = common.connect(store, program.application())) {
            Optional<Lease> acquired = acquire(kind.acquirable(
                    interlock, name, LockOptions.builder().lease(term).build()));
            if (acquired.isEmpty()) {
                common.log("'" + name + "' is busy");
                return waiting.busyExitCode();
            }
            return runUnder(acquired.get(), program, store, signals);
        } catch (InterruptedException e) {
            OsSignal early = signals.early();
            return early == null ? ExitCode.DEFECT : early.exitCode();
        }
    }

    private void check() {
        CommonOptions.checkedName(name);
        kind.check();
        waiting.check();
    }

    /**
     * The first attempt fails at once if the store is not available. A wait that has begun survives a store that is
     * unavailable for a while.
     */
    private Optional<Lease> acquire(Acquirable acquirable) throws InterruptedException {
        long startNanos = System.nanoTime();
        Optional<Lease> lease = acquirable.tryAcquire();
        if (lease.isPresent() || waiting.noWait()) {
            return lease;
        }
        common.log("waiting for '" + name + "'");
        Duration limit = waiting.limit();
        if (limit == null) {
            return Optional.of(acquirable.acquire());
        }
        return acquireWithin(limit.minusNanos(System.nanoTime() - startNanos), acquirable);
    }

    /**
     * The store has just answered that the lock is busy. In a short remaining time it may not answer again: then the
     * lock counts as busy, and the store not as unavailable.
     */
    private static Optional<Lease> acquireWithin(Duration rest, Acquirable acquirable) throws InterruptedException {
        if (rest.isNegative() || rest.isZero()) {
            return Optional.empty();
        }
        try {
            return acquirable.tryAcquire(rest);
        } catch (StoreUnavailableException e) {
            // With a cause the store was not silent, but reported an error.
            if (e.getCause() != null || rest.compareTo(SHORT_REST) >= 0) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private int runUnder(Lease lease, Program program, StoreUri store, SignalRelay signals) {
        OsSignal early = signals.early();
        if (early != null) {
            lease.release();
            return early.exitCode();
        }
        common.log("holding '" + name + "' with token " + lease.token());
        RunningProgram running = program.start(lease, store);
        signals.passTo(running);
        lease.onLost(cause -> running.end());
        int exitCode = running.await();
        return verdict(exitCode, program, lease.release());
    }

    private int verdict(int exitCode, Program program, ReleaseOutcome outcome) {
        if (outcome.isLost()) {
            throw new CommandException(
                    ExitCode.LOST,
                    "the lock '" + name + "' was lost (" + outcome.lossCause() + ") while '" + program.given()
                            + "' ran; somebody else may have held it",
                    null);
        }
        if (outcome.status() == ReleaseOutcome.Status.UNCONFIRMED) {
            System.err.println("interlock: "
                    + Printable.of("the store has not confirmed the release of '" + name
                            + "'; it is free after its lease at the latest"));
        }
        return exitCode;
    }
}
