package dev.interlock.cli.demo;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Client;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory and the processes of the demonstration. They are removed however it ends. */
final class Workspace implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofMillis(10);

    private static final Duration PROBE = Duration.ofMillis(300);

    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;
    private final StoreUri store;
    private final Interlock interlock;
    private final String lockName = "interlock-demo-" + UUID.randomUUID();
    private final BlockingQueue<Worker.Event> events = new LinkedBlockingQueue<>();
    private final Thread hook = new Thread(this::clear, "demo-clear");

    /** Guarded by this; none is added once {@link #cleared} is set. */
    private final List<Worker> workers = new ArrayList<>();

    /** Guarded by this. */
    private boolean cleared;

    private Workspace(Path directory, StoreUri store, Interlock interlock) {
        this.directory = directory;
        this.store = store;
        this.interlock = interlock;
    }

    /** Creates the directory with the file to increment. The store is the given one or a new file in that directory. */
    static Workspace open(@Nullable StoreUri given) {
        Path directory = Path.of(System.getProperty("java.io.tmpdir"), "interlock-demo-" + UUID.randomUUID());
        StoreUri store = given == null ? StoreUri.sqlite(directory.resolve("locks.db")) : given;
        // Before anything is created: the URI may be wrong.
        Workspace workspace = new Workspace(directory, store, Client.open(store, "interlock demo"));
        Runtime.getRuntime().addShutdownHook(workspace.hook);
        try {
            Files.createDirectory(directory, PRIVATE);
            Files.writeString(workspace.counter(), "0\n");
            return workspace;
        } catch (IOException e) {
            workspace.close();
            throw new CommandException(
                    ExitCode.DEFECT, "cannot create the directory of the demonstration: " + e.getMessage(), e);
        }
    }

    /** The lock, for this process to inspect. */
    DistributedLock lock() {
        return interlock.lock(lockName);
    }

    /** Whether the store grants locks at the moment. */
    boolean storeIsUsable() {
        Optional<Lease> lease = Optional.empty();
        try {
            lease = interlock.lock(lockName + "-probe").tryAcquire(PROBE);
        } catch (StoreUnavailableException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lease.ifPresent(Lease::release);
        return lease.isPresent();
    }

    StoreUri store() {
        return store;
    }

    BlockingQueue<Worker.Event> events() {
        return events;
    }

    /** The file that all workers increment. */
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

    /** The error output of a process that ended too early. */
    String errorOf(Worker worker) {
        try {
            List<String> lines = Files.readAllLines(log(worker.number()));
            return lines.isEmpty() ? "without an error message" : lines.get(0);
        } catch (IOException e) {
            return "its output cannot be read: " + e.getMessage();
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
        // KILL, because it ends stopped processes, too.
        left.forEach(worker -> worker.process().destroyForcibly());
        left.forEach(worker -> worker.process().onExit().join());
        interlock.close();
        delete(directory);
    }

    /**
     * Deletes the directory, in several attempts if necessary: a store that is being closed removes files of its own at
     * the same time, and then a walk fails.
     */
    private static void delete(Path directory) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (Files.exists(directory)) {
            try (Stream<Path> tree = Files.walk(directory)) {
                for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | UncheckedIOException e) {
                if (System.nanoTime() > giveUp) {
                    System.err.println("interlock: cannot remove " + directory + ": " + e.getMessage());
                    return;
                }
                LockSupport.parkNanos(RETRY.toNanos());
            }
        }
    }
}
