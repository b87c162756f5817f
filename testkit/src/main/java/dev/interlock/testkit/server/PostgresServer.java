package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A PostgreSQL of its own for a test: on loopback, its files under {@code target/}, gone when closed and at the latest with this JVM. By default the bundled
 * PostgreSQL 18; the system property {@code postgres.home} names an installed one to run instead. The test needs the JDBC driver on its class path.
 *
 * <p>It does not wait for the disk: a killed server forgets nothing, since what it wrote is in the page cache, but a machine that loses power would.
 */
public final class PostgresServer implements AutoCloseable {

    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final int port;
    private final Path folder;
    private ServerProcess process;

    private PostgresServer() throws IOException {
        this.port = ServerFolder.freePort();
        this.folder = ServerFolder.create("postgres");
        initialise();
        this.process = launch();
    }

    /** Starts one and returns when it answers. */
    public static PostgresServer start() {
        try {
            return new PostgresServer();
        } catch (IOException e) {
            throw new UncheckedIOException("No PostgreSQL", e);
        }
    }

    /** The one that the tests of this JVM share, each with a database of its own; it ends with the JVM. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** The JDBC URL of a new, empty database. */
    public String newDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return url(name, port);
    }

    /** The URL of the database that is there from the beginning, at another port: that of a proxy in front of this server. */
    public String urlAt(int otherPort) {
        return url("postgres", otherPort);
    }

    /** The URL of the database that is there from the beginning. */
    public String url() {
        return urlAt(port);
    }

    private static String url(String database, int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    /** Runs a statement with all rights in the database that is there from the beginning. */
    public void execute(String sql) {
        execute(url(), sql);
    }

    /** Runs a statement with all rights in the database of this URL. */
    public static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("The statement failed: " + sql, e);
        }
    }

    /** The one number that a query returns. */
    public static long number(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("The query failed: " + sql, e);
        }
    }

    /** Ends the server at once (SIGKILL) with all its processes; returns when they are gone. What was committed is there after {@link #restart()}. */
    public void kill() {
        process.killTree();
    }

    /** Kills the server if it runs, and starts it again on the same data and the same port. */
    public void restart() {
        process.killTree();
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not start again: port=" + port, e);
        }
    }

    /** Stops all of its processes (SIGSTOP); returns when the kernel shows them as stopped. */
    public void stop() {
        process.stopTree();
    }

    /** Lets stopped processes run on (SIGCONT). */
    public void cont() {
        process.contTree();
    }

    /** The state letter of its first process as the kernel shows it: {@code T} if stopped. */
    public char state() {
        return process.state();
    }

    /** Ends it and deletes its files. It is asked to end, since a killed one leaves its mark of shared memory in the kernel. */
    @Override
    public void close() {
        process.interrupt();
        process.killTree();
        ServerFolder.delete(folder);
    }

    private void initialise() throws IOException {
        List<String> command = command("initdb");
        command.addAll(List.of("-D", data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"));
        command.addAll(List.of("--no-sync", "--no-instructions"));
        ServerProcess initdb = new ServerProcess(command, "", folder.resolve("log"));
        try {
            if (initdb.status() != 0) {
                throw new IOException("initdb failed; its log:\n" + log());
            }
        } finally {
            initdb.kill();
        }
    }

    private ServerProcess launch() throws IOException {
        List<String> command = command("postgres");
        command.addAll(List.of("-D", data(), "-p", Integer.toString(port)));
        for (String setting : List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "dynamic_shared_memory_type=mmap",
                "max_connections=300",
                "shared_buffers=32MB",
                "fsync=off")) {
            command.addAll(List.of("-c", setting));
        }
        long start = System.nanoTime();
        while (true) {
            ServerProcess started = new ServerProcess(command, "", folder.resolve("log"), true);
            while (started.isAlive() && System.nanoTime() - start < START_NANOS) {
                if (answers()) {
                    return started;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            started.killTree();
            if (System.nanoTime() - start >= START_NANOS || !log().contains("is still in use")) {
                throw new IOException("PostgreSQL did not start: port=" + port + ", log:\n" + log());
            }
        }
    }

    /** PostgreSQL refuses to run as root: in a user namespace of its own, without a mapping, root is nobody. */
    private static List<String> command(String program) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(PostgresBinaries.home().resolve("bin").resolve(program).toString());
        return command;
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(url() + "&connectTimeout=2")) {
            return connection.isValid(2);
        } catch (SQLException e) {
            return false;
        }
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private static final class Shared {
        static final PostgresServer SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "close-postgres"));
        }
    }
}
