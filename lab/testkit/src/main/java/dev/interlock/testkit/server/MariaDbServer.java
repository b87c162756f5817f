package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A MariaDB server for tests: on loopback, its data under {@code target/}, gone when closed and at the latest with this
 * JVM. Its one user is {@code root}, who needs no password. Needs the driver
 * {@code org.mariadb.jdbc:mariadb-java-client} on the class path.
 *
 * <p>The system property {@code mysql.bin} names a MySQL server to run instead: an installed one, or {@code 8.0} for a
 * bundled one.
 *
 * <p>It keeps its data over {@link #kill()} and {@link #restart()}: every commit is with the operating system before it
 * is answered.
 */
public final class MariaDbServer extends LocalServer {

    /** The driver gives up a connection after 30 s. */
    private static final String PATIENT = "&connectTimeout=" + Patience.FULL.toMillis();

    private static final int PROBE_MILLIS = 2_000;

    private final AtomicInteger databases = new AtomicInteger();

    private MariaDbServer(int port) throws IOException {
        super("mariadb", port);
    }

    /** An empty server. */
    public static MariaDbServer start() {
        return LocalServer.start(() -> new MariaDbServer(Ports.free()));
    }

    /**
     * The one server that the tests of this JVM share, each with a database of its own; not to be closed, stopped or
     * killed.
     */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    /** Whether it is a MySQL, as {@code mysql.bin} says. */
    public static boolean isMySql() {
        return MySqlBinary.isWanted();
    }

    /** Makes an empty database. Returns its name. */
    public String createDatabase() {
        String name = "test_" + databases.incrementAndGet();
        execute("CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
        return name;
    }

    /** The JDBC URL of a database, for the user {@code root}. */
    public String url(String database) {
        return urlAt(port(), database);
    }

    /** The same URL with another port: that of a proxy in front of this server. */
    public String urlAt(int otherPort, String database) {
        return "jdbc:mariadb://127.0.0.1:" + otherPort + "/" + database + "?user=root&sslMode=disable";
    }

    /** Runs one statement of the test's own as {@code root}, on a connection of its own. */
    public void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url("") + PATIENT);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("MariaDB refused a statement of the test: " + sql, e);
        }
    }

    /** Copies an empty database, which takes a fraction of the time of making one. */
    @Override
    void prepare() throws IOException {
        Files.createDirectories(folder().resolve("tmp"));
        if (MySqlBinary.isWanted()) {
            initialize(Files.createDirectories(data()), "--initialize-insecure", "", "mysql.ibd");
        } else {
            copy(BuildFolder.filled("mariadb-data", MariaDbBinary.VERSION, this::bootstrap), data());
        }
    }

    private void bootstrap(Path data) throws IOException {
        initialize(data, "--bootstrap", MariaDbBinary.bootstrap(), "mysql/global_priv.frm");
    }

    private void initialize(Path data, String how, String script, String product) throws IOException {
        List<String> arguments = arguments(data);
        arguments.addAll(List.of(how, "--max-allowed-packet=8M"));
        int status = execute(arguments, script);
        if (!Files.exists(data.resolve(product))) {
            throw new IllegalStateException("MariaDB made no empty database, status=" + status + ", log:\n" + log());
        }
    }

    @Override
    List<String> command() {
        List<String> arguments = arguments(data());
        arguments.addAll(List.of(
                "--port=" + port(),
                "--bind-address=127.0.0.1",
                // Relative to the data: a long path would not fit into the address of a socket.
                "--socket=socket",
                "--pid-file=" + folder().resolve("pid"),
                "--skip-ssl",
                "--max-connections=300"));
        // Without a second port; there root may come from "localhost" only, which takes a name for the address.
        arguments.add(MySqlBinary.isWanted() ? "--mysqlx=OFF" : "--skip-name-resolve");
        return arguments;
    }

    private Path data() {
        return folder().resolve("data");
    }

    private List<String> arguments(Path data) {
        List<String> arguments = new ArrayList<>(List.of(
                MariaDbBinary.server().toString(),
                "--no-defaults",
                "--basedir=" + MariaDbBinary.home(),
                "--datadir=" + data,
                "--tmpdir=" + folder().resolve("tmp"),
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
    @Override
    boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), PROBE_MILLIS);
            socket.setSoTimeout(PROBE_MILLIS);
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static final class Shared {
        static final MariaDbServer SERVER = LocalServer.shared(start());
    }
}
