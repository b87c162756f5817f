package dev.interlock.cli.demo;

import dev.interlock.cli.Complaint;
import dev.interlock.cli.ExitCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Hears what the workers say, answers, counts, and keeps the screen up to date. For one thread. */
final class Play {

    private static final long TICK_MILLIS = 50;

    private final Scene scene;
    private final Screen screen;
    private final Register register = new Register();
    private @Nullable Event lastHold;
    private @Nullable Worker lastWriter;
    private int handOvers;
    private String lastLoss = "";

    Play(Scene scene, Screen screen) {
        this.scene = scene;
        this.screen = screen;
    }

    /** Goes on for a time. */
    void goOn(Duration time) {
        until(() -> false, time);
    }

    /** Goes on until something is so; false if it is not within the limit. */
    boolean until(BooleanSupplier condition, Duration limit) {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos <= 0) {
                return false;
            }
            hear(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)));
            screen.show(scene.workers());
        }
        return true;
    }

    private void hear(long nanos) {
        try {
            Event event = scene.events().poll(nanos, TimeUnit.NANOSECONDS);
            if (event != null) {
                heard(event);
            }
        } catch (InterruptedException e) {
            throw new Complaint(ExitCode.FAILED, "the demonstration was interrupted", e);
        }
    }

    private void heard(Event event) {
        Worker worker = event.worker();
        switch (event.word()) {
            case READY, SITS ->
                worker.state(event.word() == Event.Word.READY ? Worker.State.IDLE : Worker.State.SITTING);
            case ASKS -> worker.state(Worker.State.WAITING);
            case HOLDS -> {
                worker.state(Worker.State.HOLDING);
                lastHold = event;
            }
            case WRITES -> written(event);
            case RELEASES -> released(event);
            case LEAVES -> worker.state(Worker.State.DONE);
            case ENDED -> ended(worker);
        }
    }

    private void written(Event event) {
        Worker worker = event.worker();
        boolean accepted = register.write(event.token());
        worker.tell(accepted ? "accepted" : "refused");
        if (!accepted) {
            return;
        }
        worker.incremented();
        if (lastWriter != null && lastWriter != worker) {
            handOvers++;
        }
        lastWriter = worker;
    }

    private void released(Event event) {
        event.worker().state(Worker.State.IDLE);
        if (!event.detail().equals("RELEASED")) {
            lastLoss = event.detail();
        }
    }

    private void ended(Worker worker) {
        if (worker.state() != Worker.State.DONE && worker.state() != Worker.State.KILLED) {
            throw new Complaint(ExitCode.FAILED, worker + " ended by itself: " + scene.lastWords(worker), null);
        }
    }

    Register register() {
        return register;
    }

    /** The last time that a worker said it holds the lock, or null. */
    @Nullable
    Event lastHold() {
        return lastHold;
    }

    /** How often the writer changed from one process to another. */
    int handOvers() {
        return handOvers;
    }

    /** What the last release that found a loss said, or an empty text. */
    String lastLoss() {
        return lastLoss;
    }

    int increments() {
        return scene.workers().stream().mapToInt(Worker::increments).sum();
    }
}
