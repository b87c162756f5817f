package dev.interlock.cli.demo;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Processes;
import dev.interlock.cli.common.StoreUri;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The steps of the demonstration. */
public final class Demo {

    private static final int WORKERS = 4;

    /** How often the lock passes from one process to another, at least. */
    private static final int HAND_OVERS = 10;

    /** Far longer than any step takes that succeeds. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The same for the start of the processes, which is slow on a busy machine. */
    private static final Duration START_PATIENCE = Duration.ofMinutes(2);

    /** A dead holder's lease, the longest delay between two polls of a waiter, and some time for a busy machine. */
    private static final Duration TAKE_OVER = WorkerMain.LEASE.plusSeconds(2);

    private final Workspace workspace;
    private final Screen screen;
    private final EventLoop eventLoop;
    private Duration takeOver = PATIENCE;

    private Demo(Workspace workspace) {
        this.workspace = workspace;
        this.screen = new Screen(workspace.lock());
        this.eventLoop = new EventLoop(workspace, screen);
    }

    /**
     * Runs the demonstration, which takes about 12 s, and prints its steps.
     *
     * @param store the store, or null for a new SQLite file
     * @return whether all numbers were right
     */
    public static boolean run(@Nullable StoreUri store) {
        try (Workspace workspace = Workspace.open(store)) {
            return new Demo(workspace).run();
        }
    }

    private boolean run() {
        start();
        eventLoop.run(Duration.ofSeconds(3));
        // At once, but on a slow machine.
        eventLoop.until(() -> all(worker -> worker.increments() > 0) && eventLoop.handOvers() >= HAND_OVERS, PATIENCE);
        killOne();
        eventLoop.run(Duration.ofSeconds(1));
        stopOne();
        eventLoop.run(Duration.ofSeconds(1));
        finish();
        Report report = report();
        screen.clear();
        return conclude(report);
    }

    /** Prints the table; returns whether all numbers were right. */
    static boolean conclude(Report report) {
        System.out.print("\n" + report.text());
        System.out.println(report.isRight() ? "\nAll numbers are right." : "\nA number is wrong.");
        return report.isRight();
    }

    private void start() {
        screen.say(WORKERS + " processes increment the number in one file, under one lock, on " + workspace.store());
        // Before any process is started: this fails if the store is not there, and creates the tables in a new file.
        workspace.lock().inspect();
        for (int i = 0; i < WORKERS; i++) {
            workspace.startWorker();
        }
        expect(
                eventLoop.until(() -> all(worker -> worker.state() == Worker.State.IDLE), START_PATIENCE),
                "the workers are not ready");
        screen.say("the processes are ready");
        workspace.workers().forEach(worker -> worker.send("go"));
    }

    private void killOne() {
        Worker victim = paused(0);
        long token = tokenOf(victim);
        screen.say(victim + " holds the lock (token " + token + ") and is killed with -9");
        victim.state(Worker.State.KILLED);
        long killedNanos = System.nanoTime();
        victim.process().destroyForcibly();
        if (eventLoop.until(() -> heldAfter(token), PATIENCE)) {
            Worker.Event next = heldBy();
            takeOver = Duration.ofNanos(next.nanos() - killedNanos);
            screen.say(next.worker() + " takes over after " + Durations.text(takeOver));
        }
    }

    private void stopOne() {
        Worker victim = paused(1);
        long token = tokenOf(victim);
        screen.say(victim + " holds the lock (token " + token + ") and is stopped: its lease of "
                + WorkerMain.LEASE.toSeconds() + " s runs out");
        stopOutsideTransaction(victim);
        boolean others = eventLoop.until(() -> eventLoop.register().highest() > token, PATIENCE);
        screen.say(
                others
                        ? "the others write on, up to token "
                                + eventLoop.register().highest()
                        : "nobody else took over");
        Processes.resume(victim.process());
        victim.send("continue");
        expect(
                eventLoop.until(() -> !eventLoop.lastLoss().isEmpty(), PATIENCE),
                "the stopped holder was not told of its loss");
        screen.say(victim + " goes on and writes late with token " + token + ": "
                + (eventLoop.register().refused() == 1 ? "refused" : "NOT refused") + "; it is told "
                + eventLoop.lastLoss());
    }

    /**
     * Stops the worker, but not within a transaction: on SQLite that would keep the file locked, and stop the others,
     * too.
     */
    private void stopOutsideTransaction(Worker victim) {
        Processes.stop(victim.process());
        for (int i = 0; i < 5 && !workspace.storeIsUsable(); i++) {
            Processes.resume(victim.process());
            eventLoop.run(Duration.ofMillis(50));
            Processes.stop(victim.process());
        }
    }

    private void finish() {
        workspace.workers().forEach(worker -> worker.send("stop"));
        expect(
                eventLoop.until(
                        () -> workspace.workers().stream()
                                .allMatch(w -> w.state() == Worker.State.DONE || w.state() == Worker.State.KILLED),
                        PATIENCE),
                "the workers do not end");
    }

    private Report report() {
        Report report = new Report();
        report.row("increments", eventLoop.increments(), counted());
        report.row(
                "processes that took part",
                WORKERS,
                workspace.workers().stream().filter(w -> w.increments() > 0).count());
        report.row(
                "hand-overs between processes",
                ">= " + HAND_OVERS,
                String.valueOf(eventLoop.handOvers()),
                eventLoop.handOvers() >= HAND_OVERS);
        report.row(
                "take-over after kill -9",
                "<= " + Durations.text(TAKE_OVER),
                Durations.text(takeOver),
                takeOver.compareTo(TAKE_OVER) <= 0);
        report.row("late writes refused", 1, eventLoop.register().refused());
        report.row(
                "the stopped holder was told",
                "LOST",
                eventLoop.lastLoss(),
                eventLoop.lastLoss().startsWith("LOST"));
        return report;
    }

    private int counted() {
        try {
            return Integer.parseInt(Files.readString(workspace.counter()).strip());
        } catch (IOException e) {
            throw new CommandException(ExitCode.DEFECT, "cannot read the counter: " + e.getMessage(), e);
        }
    }

    private Worker paused(int index) {
        Worker victim = workspace.workers().get(index);
        victim.send("pause");
        expect(
                eventLoop.until(() -> victim.state() == Worker.State.PAUSED, PATIENCE),
                victim + " did not get the lock");
        return victim;
    }

    private boolean all(Predicate<Worker> condition) {
        return workspace.workers().stream().allMatch(condition);
    }

    private boolean heldAfter(long token) {
        Worker.Event hold = eventLoop.lastHold();
        return hold != null && hold.token() > token;
    }

    private Worker.Event heldBy() {
        Worker.Event hold = eventLoop.lastHold();
        if (hold == null) {
            throw new IllegalStateException("Nobody has held the lock yet");
        }
        return hold;
    }

    private long tokenOf(Worker victim) {
        Worker.Event hold = heldBy();
        expect(hold.worker() == victim, "two processes hold the lock: " + hold.worker() + " and " + victim);
        return hold.token();
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new CommandException(ExitCode.FAILED, "the demonstration failed: " + otherwise, null);
        }
    }
}
