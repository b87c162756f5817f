package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/**
 * A MariaDB server for tests: on loopback, its data under {@code target/}, gone when closed and at the latest with this JVM. Its one user is {@code root},
 * who needs no password. Needs the driver {@code org.mariadb.jdbc:mariadb-java-client} on the class path.
 *
 * <p>It keeps its data over {@link #kill()} and {@link #restart()}: every commit is with the operating system before it is answered.
 */
public final class MariaDbServer implements AutoCloseable {

    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int PROBE_MILLIS = 2_000;
    private static final int ATTEMPTS = 5;

    private final int port;
    private final Path folder;
    private final AtomicInteger databases = new AtomicInteger();
    private ServerProcess process;

    private MariaDbServer(int port) throws IOException {
        this.port = port;
        this.folder = ServerFolder.create("mariadb-" + port);
        try {
            bootstrap();
            this.process = launch();
        } catch (IOException | RuntimeException e) {
            ServerFolder.delete(folder);
            throw e;
        }
    }

    /** An empty server. */
    public static MariaDbServer start() {
        for (int attempt = 1; ; attempt++) {
            try {
                return new MariaDbServer(ServerFolder.freePort());
            } catch (IOException e) {
                // Between finding a free port and binding it, another process may have taken it.
                if (attempt == ATTEMPTS) {
                    throw new UncheckedIOException("No MariaDB", e);
                }
            }
        }
    }

    /** The one server that the tests of this JVM share, each with a database of its own; not to be closed, stopped or killed. */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    /** Makes an empty database. Returns its name. */
    public String createDatabase() {
        String name = "test_" + databases.incrementAndGet();
        execute("CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
        return name;
    }

    /** The JDBC URL of a database, for the user {@code root}. */
    public String url(String database) {
        return urlAt(port, database);
    }

    /** The same URL with another port: that of a proxy in front of this server. */
    public String urlAt(int otherPort, String database) {
        return "jdbc:mariadb://127.0.0.1:" + otherPort + "/" + database + "?user=root&sslMode=disable";
    }

    /** Runs one statement of the test's own as {@code root}, on a connection of its own. */
    public void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url(""));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("MariaDB refused a statement of the test: " + sql, e);
        }
    }

    /** Stops the process (SIGSTOP); returns when the kernel shows it as stopped. */
    public void stop() {
        process.stop();
    }

    /** Lets a stopped process run on (SIGCONT); returns when the kernel no longer shows it as stopped. */
    public void cont() {
        process.cont();
    }

    /** The state letter of the process as the kernel shows it: {@code T} if stopped. */
    public char state() {
        return process.state();
    }

    /** Ends the process at once (SIGKILL); returns when it is gone. The data stays. */
    public void kill() {
        process.kill();
    }

    /** Ends the process if it runs, and starts one on the same data and the same port; returns when it answers. */
    public void restart() {
        process.kill();
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException("MariaDB did not start again: port=" + port, e);
        }
    }

    /** What the server has written to its log. */
    public String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process and deletes its files. */
    @Override
    public void close() {
        process.kill();
        ServerFolder.delete(folder);
    }

    private void bootstrap() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(folder.resolve("tmp"));
        List<String> arguments = arguments();
        arguments.addAll(List.of("--bootstrap", "--max-allowed-packet=8M"));
        ServerProcess made = new ServerProcess(arguments, MariaDbBinary.bootstrap(), folder.resolve("log"));
        Awaitility.await("the empty database is made")
                .atMost(Duration.ofNanos(START_NANOS))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !made.isAlive());
        made.kill();
        if (!Files.exists(folder.resolve("data/mysql/global_priv.frm"))) {
            throw new IllegalStateException("MariaDB made no empty database, log:\n" + log());
        }
    }

    private ServerProcess launch() throws IOException {
        List<String> arguments = arguments();
        arguments.addAll(List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                // Relative to the data: a long path would not fit into the address of a socket.
                "--socket=socket",
                "--pid-file=" + folder.resolve("pid"),
                "--skip-ssl",
                "--skip-name-resolve",
                "--max-connections=300"));
        ServerProcess started = new ServerProcess(arguments, "", folder.resolve("log"));
        long start = System.nanoTime();
        while (!answers()) {
            if (!started.isAlive() || System.nanoTime() - start > START_NANOS) {
                started.kill();
                throw new IOException("MariaDB did not start: port=" + port + ", log:\n" + log());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return started;
    }

    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                MariaDbBinary.server().toString(),
                "--no-defaults",
                "--basedir=" + MariaDbBinary.home(),
                "--datadir=" + folder.resolve("data"),
                "--tmpdir=" + folder.resolve("tmp"),
                "--lc-messages-dir=" + MariaDbBinary.home().resolve("share"),
                "--innodb-buffer-pool-size=32M",
                "--innodb-log-file-size=16M",
                // To the operating system at each commit, which is what a killed process needs; to the disk later.
                "--innodb-flush-log-at-trx-commit=2",
                "--skip-log-bin"));
        if (System.getProperty("user.name").equals("root")) {
            // Else it refuses to run with these rights.
            arguments.add("--user=root");
        }
        return arguments;
    }

    /** The server speaks first. */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
            socket.setSoTimeout(PROBE_MILLIS);
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static final class Shared {
        static final MariaDbServer SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "close-mariadb"));
        }
    }
}
