package dev.interlock.cli.demo;

import dev.interlock.Interlock;
import dev.interlock.cli.Client;
import dev.interlock.cli.Complaint;
import dev.interlock.cli.ExitCode;
import dev.interlock.cli.StoreUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the demonstration brings along and takes away again, however it ends: a directory and processes. */
final class Scene implements AutoCloseable {

    private final Path directory;
    private final StoreUri store;
    private final String lockName = "interlock-demo-" + UUID.randomUUID();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Thread hook = new Thread(this::clear, "demo-clear");

    /** Guarded by this; none is added once {@link #cleared} is set. */
    private final List<Worker> workers = new ArrayList<>();

    /** Guarded by this. */
    private boolean cleared;

    private Scene(Path directory, StoreUri store) {
        this.directory = directory;
        this.store = store;
    }

    /** Creates the directory with the file to increment. The store is the given one or a new file in that directory. */
    static Scene open(@Nullable StoreUri given) {
        try {
            Path directory = Files.createTempDirectory("interlock-demo-");
            Scene scene = new Scene(directory, given == null ? StoreUri.sqlite(directory.resolve("locks.db")) : given);
            Runtime.getRuntime().addShutdownHook(scene.hook);
            Files.writeString(scene.counter(), "0\n");
            return scene;
        } catch (IOException e) {
            throw new Complaint(
                    ExitCode.DEFECT, "cannot create the directory of the demonstration: " + e.getMessage(), e);
        }
    }

    /** A client for this process, to look and not to hold. */
    Interlock connect() {
        return Client.open(store, "interlock demo");
    }

    StoreUri store() {
        return store;
    }

    String lockName() {
        return lockName;
    }

    BlockingQueue<Event> events() {
        return events;
    }

    /** The file that everybody increments. */
    Path counter() {
        return directory.resolve("counter");
    }

    synchronized List<Worker> workers() {
        return List.copyOf(workers);
    }

    /** Starts one more process. */
    synchronized void startWorker() {
        if (cleared) {
            throw new IllegalStateException("The demonstration is over");
        }
        ProcessBuilder builder = new ProcessBuilder(
                WorkerJvm.command(directory, lockName, counter().toString()));
        builder.environment().put(WorkerMain.STORE, store.value());
        int number = workers.size() + 1;
        builder.redirectError(log(number).toFile());
        workers.add(Worker.start(number, builder, events));
    }

    /** The last words of a process that was not to end. */
    String lastWords(Worker worker) {
        try {
            List<String> lines = Files.readAllLines(log(worker.number()));
            return lines.isEmpty() ? "it said nothing" : lines.get(0);
        } catch (IOException e) {
            return "its words are lost: " + e.getMessage();
        }
    }

    private Path log(int number) {
        return directory.resolve("worker-" + number + ".log");
    }

    @Override
    public void close() {
        clear();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This process is ending already, and the hook does the same.
        }
    }

    private void clear() {
        List<Worker> left;
        synchronized (this) {
            cleared = true;
            left = List.copyOf(workers);
        }
        // KILL, since it ends stopped processes as well.
        left.forEach(worker -> worker.process().destroyForcibly());
        left.forEach(worker -> worker.process().onExit().join());
        delete(directory);
    }

    private static void delete(Path directory) {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            if (Files.exists(directory)) {
                System.err.println("interlock: cannot remove " + directory + ": " + e.getMessage());
            }
        }
    }
}
