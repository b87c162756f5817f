package dev.interlock.cli.demo;

import dev.interlock.cli.Complaint;
import dev.interlock.cli.Durations;
import dev.interlock.cli.ExitCode;
import dev.interlock.cli.Processes;
import dev.interlock.cli.StoreUri;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The course of the demonstration. */
public final class Demo {

    private static final int WORKERS = 4;

    /** Far more than anything takes that goes right. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The same for the start of the processes, which takes its time on a busy machine. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(40);

    /** A dead holder's lease, and the longest sleep of a waiter that nobody wakes, and some time for a busy machine. */
    private static final Duration TAKE_OVER = WorkerMain.LEASE.plusSeconds(2);

    private final Scene scene;
    private final Screen screen;
    private final Play play;
    private Duration takeOver = PATIENCE;

    private Demo(Scene scene) {
        this.scene = scene;
        this.screen = new Screen(scene.lock());
        this.play = new Play(scene, screen);
    }

    /**
     * Runs it; it takes about 12 s and prints what it does.
     *
     * @param store the store, or null for a new SQLite file
     * @return whether all numbers were right
     */
    public static boolean run(@Nullable StoreUri store) {
        try (Scene scene = Scene.open(store)) {
            return new Demo(scene).run();
        }
    }

    private boolean run() {
        start();
        play.goOn(Duration.ofSeconds(3));
        killOne();
        play.goOn(Duration.ofSeconds(1));
        stopOne();
        play.goOn(Duration.ofSeconds(1));
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
        screen.say(WORKERS + " processes increment the number in one file, under one lock, on " + scene.store());
        // Before anything is started: it finds out whether the store is there, and a new file gets its tables.
        scene.lock().inspect();
        for (int i = 0; i < WORKERS; i++) {
            scene.startWorker();
        }
        expect(play.until(() -> all(Worker.State.IDLE), START_PATIENCE), "the workers are not ready");
        screen.say("the processes are ready");
        scene.workers().forEach(worker -> worker.tell("go"));
    }

    private void killOne() {
        Worker victim = sitting(0);
        long token = tokenOf(victim);
        screen.say(victim + " holds the lock (token " + token + ") and is killed with -9");
        victim.state(Worker.State.KILLED);
        long killedNanos = System.nanoTime();
        victim.process().destroyForcibly();
        if (play.until(() -> heldAfter(token), PATIENCE)) {
            Event next = heldBy();
            takeOver = Duration.ofNanos(next.nanos() - killedNanos);
            screen.say(next.worker() + " takes over after " + Durations.text(takeOver));
        }
    }

    private void stopOne() {
        Worker victim = sitting(1);
        long token = tokenOf(victim);
        screen.say(victim + " holds the lock (token " + token + ") and is stopped: its lease of "
                + WorkerMain.LEASE.toSeconds() + " s runs out");
        stopOutsideTransaction(victim);
        boolean others = play.until(() -> play.register().highest() > token, PATIENCE);
        screen.say(
                others ? "the others write on, up to token " + play.register().highest() : "nobody else took over");
        Processes.resume(victim.process());
        victim.tell("continue");
        expect(play.until(() -> !play.lastLoss().isEmpty(), PATIENCE), "the stopped holder was not told of its loss");
        screen.say(victim + " goes on and writes late with token " + token + ": "
                + (play.register().refused() == 1 ? "refused" : "NOT refused") + "; it is told " + play.lastLoss());
    }

    /**
     * On SQLite a process that is stopped within a transaction keeps the file locked, and so stops the others as well:
     * that was the wrong moment then.
     */
    private void stopOutsideTransaction(Worker victim) {
        Processes.stop(victim.process());
        for (int i = 0; i < 5 && !scene.storeIsUsable(); i++) {
            Processes.resume(victim.process());
            play.goOn(Duration.ofMillis(50));
            Processes.stop(victim.process());
        }
    }

    private void finish() {
        scene.workers().forEach(worker -> worker.tell("stop"));
        expect(
                play.until(
                        () -> scene.workers().stream()
                                .allMatch(w -> w.state() == Worker.State.DONE || w.state() == Worker.State.KILLED),
                        PATIENCE),
                "the workers do not end");
    }

    private Report report() {
        Report report = new Report();
        report.row("increments", play.increments(), counted());
        report.row(
                "processes that took part",
                WORKERS,
                scene.workers().stream().filter(w -> w.increments() > 0).count());
        report.row("hand-overs between processes", ">= 10", String.valueOf(play.handOvers()), play.handOvers() >= 10);
        report.row(
                "take-over after kill -9",
                "<= " + Durations.text(TAKE_OVER),
                Durations.text(takeOver),
                takeOver.compareTo(TAKE_OVER) <= 0);
        report.row("late writes refused", 1, play.register().refused());
        report.row(
                "the stopped holder was told",
                "LOST",
                play.lastLoss(),
                play.lastLoss().startsWith("LOST"));
        return report;
    }

    private int counted() {
        try {
            return Integer.parseInt(Files.readString(scene.counter()).strip());
        } catch (IOException e) {
            throw new Complaint(ExitCode.DEFECT, "cannot read the counter: " + e.getMessage(), e);
        }
    }

    private Worker sitting(int index) {
        Worker victim = scene.workers().get(index);
        victim.tell("sit");
        expect(play.until(() -> victim.state() == Worker.State.SITTING, PATIENCE), victim + " did not get the lock");
        return victim;
    }

    private boolean all(Worker.State state) {
        return scene.workers().stream().allMatch(worker -> worker.state() == state);
    }

    private boolean heldAfter(long token) {
        Event hold = play.lastHold();
        return hold != null && hold.token() > token;
    }

    private Event heldBy() {
        Event hold = play.lastHold();
        if (hold == null) {
            throw new IllegalStateException("Nobody has held the lock yet");
        }
        return hold;
    }

    private long tokenOf(Worker victim) {
        Event hold = heldBy();
        expect(hold.worker() == victim, "two processes hold the lock: " + hold.worker() + " and " + victim);
        return hold.token();
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new Complaint(ExitCode.FAILED, "the demonstration failed: " + otherwise, null);
        }
    }
}
