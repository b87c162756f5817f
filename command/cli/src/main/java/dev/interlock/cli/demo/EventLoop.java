package dev.interlock.cli.demo;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Receives the events of the workers, answers and counts them, and updates the screen. For one thread. */
final class EventLoop {

    private static final long TICK_MILLIS = 50;

    private final Workspace workspace;
    private final Screen screen;
    private final Register register = new Register();
    private Worker.@Nullable Event lastHold;
    private @Nullable Worker lastWriter;
    private int handOvers;
    private String lastLoss = "";

    EventLoop(Workspace workspace, Screen screen) {
        this.workspace = workspace;
        this.screen = screen;
    }

    /** Runs for a time. */
    void run(Duration time) {
        until(() -> false, time);
    }

    /** Runs until the condition is true; returns false if it is not true within the limit. */
    boolean until(BooleanSupplier condition, Duration limit) {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos <= 0) {
                return false;
            }
            receive(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)));
            screen.show(workspace.workers());
        }
        return true;
    }

    private void receive(long nanos) {
        try {
            Worker.Event event = workspace.events().poll(nanos, TimeUnit.NANOSECONDS);
            if (event != null) {
                handle(event);
            }
        } catch (InterruptedException e) {
            throw new CommandException(ExitCode.FAILED, "the demonstration was interrupted", e);
        }
    }

    private void handle(Worker.Event event) {
        Worker worker = event.worker();
        switch (event.type()) {
            case READY, PAUSES ->
                worker.state(event.type() == Worker.Event.Type.READY ? Worker.State.IDLE : Worker.State.PAUSED);
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

    private void written(Worker.Event event) {
        Worker worker = event.worker();
        boolean accepted = register.write(event.token());
        worker.send(accepted ? "accepted" : "refused");
        if (!accepted) {
            return;
        }
        worker.incremented();
        if (lastWriter != null && lastWriter != worker) {
            handOvers++;
        }
        lastWriter = worker;
    }

    private void released(Worker.Event event) {
        event.worker().state(Worker.State.IDLE);
        if (!event.detail().equals("RELEASED")) {
            lastLoss = event.detail();
        }
    }

    private void ended(Worker worker) {
        if (worker.state() != Worker.State.DONE && worker.state() != Worker.State.KILLED) {
            throw new CommandException(
                    ExitCode.FAILED, worker + " ended by itself: " + workspace.errorOf(worker), null);
        }
    }

    Register register() {
        return register;
    }

    /** The last event of a worker that has acquired the lock, or null. */
    Worker.@Nullable Event lastHold() {
        return lastHold;
    }

    /** How often the writer changed from one process to another. */
    int handOvers() {
        return handOvers;
    }

    /** The outcome of the last release that found a loss, or an empty text. */
    String lastLoss() {
        return lastLoss;
    }

    int increments() {
        return workspace.workers().stream().mapToInt(Worker::increments).sum();
    }
}
