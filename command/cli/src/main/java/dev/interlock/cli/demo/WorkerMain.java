package dev.interlock.cli.demo;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.ReleaseOutcome;
import dev.interlock.cli.common.Client;
import dev.interlock.cli.common.StoreUri;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** The process of a {@link Worker}: increments the number in a file under the lock, again and again. */
public final class WorkerMain {

    /** The lease: short, so that a take-over does not take long. */
    static final Duration LEASE = Duration.ofSeconds(2);

    /** The environment variable with the store's URI: not an argument, which everybody on the machine could read. */
    static final String STORE = "INTERLOCK_STORE";

    /** The time between two turns, in which a real program would do other work. */
    private static final Duration PAUSE = Duration.ofMillis(2);

    private final DistributedLock lock;
    private final Path file;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final AtomicBoolean pause = new AtomicBoolean();
    private volatile boolean stop;

    private WorkerMain(DistributedLock lock, Path file) {
        this.lock = lock;
        this.file = file;
    }

    /** The arguments: the lock's name and the file. */
    public static void main(String[] args) throws InterruptedException {
        try (Interlock interlock = Client.open(new StoreUri(System.getenv(STORE)), "interlock demo")) {
            WorkerMain worker = new WorkerMain(interlock.lock(args[0]), Path.of(args[1]));
            Thread listener = new Thread(worker::listen, "orders");
            listener.setDaemon(true);
            listener.start();
            worker.work();
        }
        say(Worker.Event.Type.LEAVES, "");
    }

    private void work() throws InterruptedException {
        // The first use of the store is slow: it comes before the demonstration measures times.
        lock.inspect();
        say(Worker.Event.Type.READY, "");
        answers.take();
        while (!stop) {
            say(Worker.Event.Type.ASKS, "");
            Lease lease = lock.acquire(LeaseTerm.renewing(LEASE));
            say(Worker.Event.Type.HOLDS, String.valueOf(lease.token()));
            int number = read();
            if (pause.getAndSet(false)) {
                // Tokens protect from this mistake: the worker writes later without checking its lease.
                say(Worker.Event.Type.PAUSES, "");
                answers.take();
            } else {
                write(number + 1);
            }
            say(Worker.Event.Type.WRITES, String.valueOf(lease.token()));
            answers.take();
            ReleaseOutcome outcome = lease.release();
            say(Worker.Event.Type.RELEASES, outcome.toString());
            Thread.sleep(PAUSE.toMillis());
        }
    }

    /** Ends this process when its parent is gone. */
    private void listen() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                switch (line) {
                    case "pause" -> pause.set(true);
                    case "stop" -> stop = true;
                    default -> answers.add(line);
                }
            }
        } catch (IOException e) {
            // The same as the end of the stream.
        }
        Runtime.getRuntime().halt(1);
    }

    private int read() {
        try {
            return Integer.parseInt(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(int number) {
        try {
            Files.writeString(file, number + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void say(Worker.Event.Type word, String detail) {
        System.out.println(word + " " + detail);
    }
}
