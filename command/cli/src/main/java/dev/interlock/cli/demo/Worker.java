package dev.interlock.cli.demo;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;

/**
 * A process of the demonstration, for the process that started it. They exchange lines over the standard streams. The
 * worker writes an {@link Event.Type} and a detail; it reads {@code go}, {@code pause} (before the next write),
 * {@code continue}, {@code accepted} or {@code refused}, and {@code stop}.
 */
final class Worker {

    /** The state of a worker, as its last event shows it. */
    enum State {
        STARTING,
        WAITING,
        HOLDING,
        PAUSED,
        IDLE,
        KILLED,
        DONE
    }

    /**
     * A line from the process.
     *
     * @param worker the process
     * @param type the kind of event
     * @param detail a token, an outcome, or nothing
     * @param nanos when it was received, by the monotonic clock of this process
     */
    record Event(Worker worker, Type type, String detail, long nanos) {

        /** The kinds of events, as the first words of lines. */
        enum Type {
            /** It is connected and waits for {@code go}. */
            READY,
            /** It asks for the lock. */
            ASKS,
            /** It holds the lock; with the token. */
            HOLDS,
            /** It has read the number, still holds the lock, and waits for {@code continue} before it writes. */
            PAUSES,
            /**
             * It has written, and reports the write to the register; with the token. Answered by {@code accepted} or
             * {@code refused}.
             */
            WRITES,
            /** It has released the lock; with the outcome. */
            RELEASES,
            /** It ends after {@code stop}. */
            LEAVES,
            /** Its output has ended: the process is gone. */
            ENDED
        }

        /** The token in the detail. */
        long token() {
            return Long.parseLong(detail);
        }
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

    /** Starts the process. Its events go to the queue. */
    static Worker start(int number, ProcessBuilder builder, BlockingQueue<Event> events) {
        try {
            Worker worker = new Worker(number, builder.start());
            Thread listener = new Thread(() -> worker.listen(events), "worker-" + number);
            listener.setDaemon(true);
            listener.start();
            return worker;
        } catch (IOException e) {
            throw new CommandException(ExitCode.DEFECT, "cannot start a worker process: " + e.getMessage(), e);
        }
    }

    private void listen(BlockingQueue<Event> events) {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 2);
                events.add(new Event(
                        this, Event.Type.valueOf(words[0]), words.length > 1 ? words[1] : "", System.nanoTime()));
            }
        } catch (IOException e) {
            // The pipe of a killed process is broken, which is the same as its end.
        }
        events.add(new Event(this, Event.Type.ENDED, "", System.nanoTime()));
    }

    /** Sends a line to the process. Nothing happens if the process is gone. */
    void send(String order) {
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
