package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A ZooKeeper server of its own for a test, in a JVM of its own: on loopback, its files under {@code target/}, gone
 * when closed and at the latest with this JVM. Its tick is a tenth of a second, so that sessions from {@code 200 ms} on
 * are granted as they are asked for; it does not wait for the disk.
 *
 * <p>The class path of the test needs ZooKeeper, {@code snappy-java} and {@code metrics-core}: they are optional
 * dependencies of this module.
 *
 * <p>To be used by one thread at a time, apart from {@link #ask} and {@link #role}.
 */
public final class ZooKeeperServer implements AutoCloseable {

    private static final Duration PATIENCE = Patience.FULL;
    private static final Duration ANSWER = Patience.FULL;
    // Of a server that may stand still, or serve nobody.
    private static final Duration ROLE = Duration.ofSeconds(2);

    /** What a server is to the others. */
    public enum Role {
        /** It is the only one. */
        STANDALONE,
        /** The others follow it. */
        LEADER,
        /** It follows another. */
        FOLLOWER,
        /** It serves nobody: dead, stopped, starting, or without a majority. */
        NONE
    }

    private final Path folder;
    private final int port;
    private final ZooKeeperSettings settings;
    private ChildJvm process;

    /** Starts the process, and does not wait until it serves. */
    ZooKeeperServer(ZooKeeperSettings settings, int port) throws IOException {
        this.settings = settings;
        this.port = port;
        folder = ServerFolder.create("zookeeper-" + port);
        settings.write(folder, port);
        process = launch();
    }

    /** One server with default settings; returns when it serves. */
    public static ZooKeeperServer start() {
        return settings().start();
    }

    /** Settings of a server. */
    public static ZooKeeperSettings settings() {
        return new ZooKeeperSettings();
    }

    /** Where clients connect. */
    public int port() {
        return port;
    }

    /** {@code 127.0.0.1:port}. */
    public String connectString() {
        return "127.0.0.1:" + port;
    }

    /** {@code zk://127.0.0.1:port}. */
    public String uri() {
        return uriAt(port);
    }

    /** The same URI with another port: that of a proxy in front of this server. */
    public String uriAt(int otherPort) {
        return "zk://127.0.0.1:" + otherPort;
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    /** Stops the process (SIGSTOP); returns when the kernel shows it as stopped. */
    public void stop() {
        process.stop();
    }

    /** Lets a stopped process run on (SIGCONT); returns when the kernel no longer shows it as stopped. */
    public void cont() {
        process.resume();
    }

    /**
     * The state letter of the process as the kernel shows it: {@link Signals#STOPPED}, {@link Signals#GONE}, or another
     * if it runs.
     */
    public char state() {
        return process.isAlive() ? Signals.state(pid()) : Signals.GONE;
    }

    /** Ends the process at once (SIGKILL); returns when it is gone. What it has written stays. */
    public void kill() {
        process.kill();
    }

    /** Ends the process if it runs, and starts one with the same settings, port and data; returns when it serves. */
    public void restart() {
        launchAgain();
        awaitServing();
    }

    /** The same, without waiting: a member of an ensemble does not serve before there are enough. */
    public void launchAgain() {
        process.kill();
        process = launch();
    }

    /** What it is now, by its own word. */
    public Role role() {
        if (state() == Signals.STOPPED || state() == Signals.GONE) {
            return Role.NONE;
        }
        try {
            return ask("srvr", ROLE)
                    .lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .map(line -> Role.valueOf(
                            line.substring("Mode: ".length()).strip().toUpperCase(Locale.ROOT)))
                    .findFirst()
                    .orElse(Role.NONE);
        } catch (UncheckedIOException e) {
            return Role.NONE;
        }
    }

    /**
     * Asks with one of ZooKeeper's four-letter words, such as {@code cons}, {@code wchs} or {@code mntr}.
     *
     * @throws UncheckedIOException if it does not answer
     */
    public String ask(String word) {
        return ask(word, ANSWER);
    }

    private String ask(String word, Duration patience) {
        int millis = Math.toIntExact(patience.toMillis());
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("ZooKeeper did not answer: port=" + port + ", word=" + word, e);
        }
    }

    /**
     * The ids of all sessions, of an ensemble as this server knows them.
     *
     * @throws IllegalStateException if the server serves nobody
     */
    public Set<Long> sessions() {
        String ids = order(ZooKeeperMain.SESSIONS, ZooKeeperMain.SESSIONS);
        return Arrays.stream(ids.split(" ", -1))
                .filter(id -> !id.isEmpty())
                .map(Long::valueOf)
                .collect(Collectors.toSet());
    }

    /**
     * Ends a session as if its time were over: its nodes go, and its client hears of it as soon as it can be reached.
     *
     * @throws IllegalArgumentException if there is no such session
     * @throws IllegalStateException if the server serves nobody
     */
    public void expire(long session) {
        if (!sessions().contains(session)) {
            throw new IllegalArgumentException("There is no such session: id=0x" + Long.toHexString(session));
        }
        order(ZooKeeperMain.EXPIRE + " " + session, ZooKeeperMain.EXPIRED);
        Awaitility.await("the session is over")
                .atMost(ANSWER)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> !sessions().contains(session));
    }

    /**
     * Sets the server's clock on by this from that of the machine; back if negative. Its settings must allow it.
     *
     * @throws IllegalStateException if the server serves nobody
     */
    public void clock(Duration ahead) {
        order(ZooKeeperMain.CLOCK + " " + ahead, ZooKeeperMain.CLOCK);
    }

    /**
     * Gives the next sequential child of this node this number, as if so many had been created before. Nothing may be
     * under way below the node.
     *
     * @throws IllegalStateException if the server serves nobody
     */
    public void sequence(String path, int next) {
        order(ZooKeeperMain.SEQUENCE + " " + next + " " + path, ZooKeeperMain.SEQUENCE);
    }

    /**
     * Gives the next transaction the number behind this, as if so many had been executed before; for a server that is
     * alone.
     *
     * @throws IllegalStateException if the server serves nobody
     */
    public void zxid(long last) {
        order(ZooKeeperMain.ZXID + " " + last, ZooKeeperMain.ZXID);
    }

    /** What the server and its libraries have printed. */
    public String log() {
        try {
            Path log = folder.resolve(ZooKeeperSettings.LOG);
            return Files.exists(log) ? Files.readString(log) : "";
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

    /** Waits until it serves. */
    void awaitServing() {
        Awaitility.await("ZooKeeper serves")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    if (!process.isAlive()) {
                        throw new IllegalStateException("ZooKeeper ended: port=" + port + ", log:\n" + log());
                    }
                    return role() != Role.NONE;
                });
    }

    private ChildJvm launch() {
        return ChildJvm.start(
                ZooKeeperMain.class,
                settings.jvmOptions(),
                List.of(
                        folder.resolve(ZooKeeperSettings.CONFIG).toString(),
                        folder.resolve(ZooKeeperSettings.LOG).toString()));
    }

    private String order(String order, String answer) {
        process.send(order);
        String line = process.await("", ANSWER);
        if (!line.startsWith(answer)) {
            throw new IllegalStateException(
                    "ZooKeeper did not take an order: port=" + port + ", order=" + order + ", answer=" + line);
        }
        return line.substring(answer.length()).strip();
    }
}
