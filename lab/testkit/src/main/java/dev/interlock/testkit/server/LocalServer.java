package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A server of its own for a test: on loopback, its files under {@code target/}, gone when closed and at the latest with
 * this JVM.
 */
abstract class LocalServer implements AutoCloseable {

    private static final long START_NANOS = Patience.FULL.toNanos();
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int ATTEMPTS = 5;

    private final String name;
    private final int port;
    private final Path folder;
    private @Nullable ServerProcess process;
    private @Nullable FakeClock clock;

    /** Not started yet. */
    LocalServer(String name, int port) throws IOException {
        this.name = name;
        this.port = port;
        this.folder = ServerFolder.create(name + "-" + port);
    }

    /** Makes a server, at another port each time it is asked. */
    interface Maker<S extends LocalServer> {
        S make() throws IOException;
    }

    /**
     * Starts one and returns when it answers.
     *
     * @throws UncheckedIOException if it does not; the message has the server's log
     */
    static <S extends LocalServer> S start(Maker<S> maker) {
        for (int attempt = 1; ; attempt++) {
            try {
                S server = maker.make();
                server.begin();
                return server;
            } catch (IOException e) {
                // Between finding a free port and binding it, another process may have taken it.
                if (attempt == ATTEMPTS) {
                    throw new UncheckedIOException("No server for the test", e);
                }
            }
        }
    }

    /** The same server, which is closed when this JVM ends. */
    static <S extends LocalServer> S shared(S server) {
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close-server"));
        return server;
    }

    /**
     * Lets {@link #clock} set the clock of this server, which has not been started yet.
     *
     * @throws IllegalStateException if libfaketime is not installed
     */
    final void makeClockSettable() throws IOException {
        clock = new FakeClock(folder);
    }

    final void begin() throws IOException {
        try {
            prepare();
            process = launch();
        } catch (IOException | RuntimeException e) {
            ServerFolder.delete(folder);
            throw e;
        }
    }

    /** Makes the data of a new server. */
    void prepare() throws IOException {}

    /** The program and its arguments. */
    abstract List<String> command() throws IOException;

    /** What it is to read. */
    String input() {
        return "";
    }

    /** Whether it serves. */
    abstract boolean answers();

    /** Whether it is worth another try, by the log of one that ended instead of serving. */
    boolean mayYetStart(String log) {
        return false;
    }

    /** Whether it is asked to end before it is killed when it is closed: it would leave something behind. */
    boolean isAskedToEnd() {
        return false;
    }

    final Path folder() {
        return folder;
    }

    /** Runs a program to its end; its status. */
    final int execute(List<String> command, String input) throws IOException {
        ServerProcess program = new ServerProcess(command, Map.of(), input, logFile(), false);
        try {
            return program.status();
        } finally {
            program.kill();
        }
    }

    /** Copies a folder with the rights of its files. */
    final void copy(Path from, Path to) throws IOException {
        if (execute(List.of("cp", "-a", from.toString(), to.toString()), "") != 0) {
            throw new IOException("The data of a server cannot be copied; the log:\n" + log());
        }
    }

    private Path logFile() {
        return folder.resolve("log");
    }

    /** Where it listens. */
    public final int port() {
        return port;
    }

    /** Its process, the first if it is several. */
    public final long pid() {
        return process().pid();
    }

    /** Stops the server (SIGSTOP); returns when the kernel shows all its processes as stopped. */
    public final void stop() {
        process().stop();
    }

    /** Lets a stopped server run on (SIGCONT); returns when the kernel no longer shows it as stopped. */
    public final void cont() {
        process().cont();
    }

    /** The state letter of its (first) process as the kernel shows it: {@code T} if stopped. */
    public final char state() {
        return process().state();
    }

    /** Ends the server at once (SIGKILL), with all its processes; returns when they are gone. */
    public final void kill() {
        process().kill();
    }

    /** Ends the server if it runs, and starts it with the same settings, folder and port; returns when it answers. */
    public final void restart() {
        kill();
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException("The server did not start again: " + this, e);
        }
    }

    /**
     * Sets the server's wall clock on by this from the true time.
     *
     * @throws IllegalStateException if it was started without a clock that can be set
     */
    public final void clock(Duration ahead) {
        if (clock == null) {
            throw new IllegalStateException("The server was started without a clock that can be set: " + this);
        }
        clock.set(ahead);
    }

    /** What the server has written to its log. */
    public final String log() {
        try {
            return Files.readString(logFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server and deletes its files. */
    @Override
    public final void close() {
        process().end();
        ServerFolder.delete(folder);
    }

    @Override
    public final String toString() {
        return name + " at port " + port;
    }

    private ServerProcess process() {
        return Objects.requireNonNull(process, "not started");
    }

    private Map<String, String> environment() {
        return clock == null ? Map.of() : clock.environment();
    }

    private ServerProcess launch() throws IOException {
        long start = System.nanoTime();
        while (true) {
            ServerProcess started = new ServerProcess(command(), environment(), input(), logFile(), isAskedToEnd());
            while (started.isAlive() && System.nanoTime() - start < START_NANOS) {
                // If it has ended, another server answers at this port.
                if (answers() && started.isAlive()) {
                    return started;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            started.kill();
            if (System.nanoTime() - start >= START_NANOS || !mayYetStart(log())) {
                throw new IOException("The server did not start: " + this + ", log:\n" + log());
            }
        }
    }
}
