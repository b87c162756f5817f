package dev.interlock.cli.demo;

import dev.interlock.cli.Complaint;
import dev.interlock.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;

/**
 * One of the processes, as seen by the one that started it. It says what it does, one {@link Event.Word} and a detail
 * on a line; it is told {@code go}, {@code sit} (stop before the next write), {@code continue}, {@code accepted} or
 * {@code refused}, and {@code stop}.
 */
final class Worker {

    /** What a worker is doing, as far as its words tell. */
    enum State {
        STARTING,
        WAITING,
        HOLDING,
        SITTING,
        IDLE,
        KILLED,
        DONE
    }

    private final int number;
    private final Process process;
    private final PrintWriter orders;
    private State state = State.STARTING;
    private int increments;

    private Worker(int number, Process process) {
        this.number = number;
        this.process = process;
        this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    }

    /** Starts the process; what it says goes to the queue. */
    static Worker start(int number, ProcessBuilder builder, BlockingQueue<Event> events) {
        try {
            Worker worker = new Worker(number, builder.start());
            Thread listener = new Thread(() -> worker.listen(events), "worker-" + number);
            listener.setDaemon(true);
            listener.start();
            return worker;
        } catch (IOException e) {
            throw new Complaint(ExitCode.DEFECT, "cannot start a worker process: " + e.getMessage(), e);
        }
    }

    private void listen(BlockingQueue<Event> events) {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 2);
                events.add(new Event(
                        this, Event.Word.valueOf(words[0]), words.length > 1 ? words[1] : "", System.nanoTime()));
            }
        } catch (IOException e) {
            // The pipe of a killed process: the same as its end.
        }
        events.add(new Event(this, Event.Word.ENDED, "", System.nanoTime()));
    }

    /** Tells the process; one that is gone does not hear it. */
    void tell(String order) {
        orders.println(order);
    }

    int number() {
        return number;
    }

    long pid() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    State state() {
        return state;
    }

    void state(State newState) {
        state = newState;
    }

    int increments() {
        return increments;
    }

    void incremented() {
        increments++;
    }

    @Override
    public String toString() {
        return "worker " + number;
    }
}
