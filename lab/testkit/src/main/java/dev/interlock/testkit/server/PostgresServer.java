package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL of its own for a test: on loopback, its files under {@code target/}, gone when closed and at the latest
 * with this JVM. By default the bundled PostgreSQL 18; the system property {@code postgres.home} names an installed one
 * to run instead. The test needs the JDBC driver on its class path.
 *
 * <p>It does not wait for the disk: a killed server forgets nothing, since what it wrote is in the page cache, but a
 * machine that loses power would.
 */
public final class PostgresServer extends LocalServer {

    /**
     * A busy machine may take seconds to run the process of a new connection for the first time. The driver gives up
     * after 5 s, and the limit of whoever connects is the shorter one. Behind a proxy all is as the driver has it.
     */
    private static final String PATIENT = "&sslResponseTimeout=" + Patience.FULL.toMillis();

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private PostgresServer(int port) throws IOException {
        super("postgres", port);
    }

    /** Starts one and returns when it answers. */
    public static PostgresServer start() {
        return LocalServer.start(() -> new PostgresServer(Ports.free()));
    }

    /** The same, with a clock that {@link #clock} can set, by libfaketime. */
    public static PostgresServer startWithSettableClock() {
        return LocalServer.start(() -> {
            PostgresServer server = new PostgresServer(Ports.free());
            server.makeClockSettable();
            return server;
        });
    }

    /** The one that the tests of this JVM share, each with a database of its own; it ends with the JVM. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** The JDBC URL of a new, empty database. */
    public String newDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return url(name, port()) + PATIENT;
    }

    /**
     * The URL of the database that is there from the beginning, at another port: that of a proxy in front of this
     * server.
     */
    public String urlAt(int otherPort) {
        return url("postgres", otherPort);
    }

    /** The URL of the database that is there from the beginning. */
    public String url() {
        return urlAt(port()) + PATIENT;
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

    /** Copies an empty database, which takes a fraction of the time of making one. */
    @Override
    void prepare() throws IOException {
        if (PostgresBinaries.isBundled()) {
            copy(BuildFolder.filled("postgres-data", PostgresBinaries.VERSION, this::initialize), data());
        } else {
            initialize(data());
        }
    }

    private void initialize(Path data) throws IOException {
        List<String> command = command("initdb");
        command.addAll(List.of("-D", data.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"));
        command.addAll(List.of("--no-sync", "--no-instructions"));
        if (execute(command, "") != 0) {
            throw new IOException("initdb failed; its log:\n" + log());
        }
    }

    @Override
    List<String> command() {
        List<String> command = command("postgres");
        command.addAll(List.of("-D", data().toString(), "-p", Integer.toString(port())));
        for (String setting : List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "dynamic_shared_memory_type=mmap",
                "max_connections=300",
                "shared_buffers=32MB",
                "fsync=off")) {
            command.addAll(List.of("-c", setting));
        }
        return command;
    }

    /** The memory that a killed one shared with its children is theirs until the last of them is gone. */
    @Override
    boolean mayYetStart(String log) {
        return log.contains("is still in use");
    }

    /** A killed one leaves its mark of shared memory in the kernel. */
    @Override
    boolean isAskedToEnd() {
        return true;
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

    private Path data() {
        return folder().resolve("data");
    }

    @Override
    boolean answers() {
        try (Connection connection = DriverManager.getConnection(url() + "&connectTimeout=2&socketTimeout=30")) {
            return connection.isValid(2);
        } catch (SQLException e) {
            return false;
        }
    }

    private static final class Shared {
        static final PostgresServer SERVER = LocalServer.shared(start());
    }
}
