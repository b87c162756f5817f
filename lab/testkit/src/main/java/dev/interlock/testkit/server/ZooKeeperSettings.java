package dev.interlock.testkit.server;

import dev.interlock.testkit.process.ClockAgent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How a ZooKeeper server for tests is to run. */
public final class ZooKeeperSettings {

    static final String CONFIG = "zoo.cfg";
    static final String LOG = "log";

    private static final String DATA = "data";
    private static final int ATTEMPTS = 5;
    // The shortest session lasts two, and sessions end at multiples of it.
    private static final Duration TICK = Duration.ofMillis(100);

    private final List<String> lines = new ArrayList<>();
    private final Map<String, String> properties = new LinkedHashMap<>();
    private int member;
    private boolean settableClock;

    ZooKeeperSettings() {
        // Files of a usual size, and the disk, would take longer than the tests.
        property("zookeeper.forceSync", "no");
        property("zookeeper.preAllocSize", "256");
        property("zookeeper.serverCnxnFactory", ZooKeeperMain.Connections.class.getName());
        property("slf4j.internal.verbosity", "ERROR");
    }

    /** A line of the configuration file, such as {@code maxClientCnxns=10}. */
    public ZooKeeperSettings config(String line) {
        lines.add(line);
        return this;
    }

    /** A system property of the server's JVM, such as {@code znode.container.checkIntervalMs}. */
    public ZooKeeperSettings property(String name, String value) {
        properties.put(name, value);
        return this;
    }

    /** Has the server write to its log who has written what, and what it has refused; needs version 3.6 or later. */
    public ZooKeeperSettings audited() {
        return property("zookeeper.audit.enable", "true")
                .property("zookeeper.audit.impl.class", ZooKeeperMain.Audit.class.getName());
    }

    /** Lets {@link ZooKeeperServer#clock} set the clock of the server's JVM. */
    public ZooKeeperSettings settableClock() {
        settableClock = true;
        return this;
    }

    /**
     * Starts one server, and returns when it serves.
     *
     * @throws IllegalStateException if it does not; the message has the server's log
     */
    public ZooKeeperServer start() {
        for (int attempt = 1; ; attempt++) {
            ZooKeeperServer server = launch(freePort());
            try {
                server.awaitServing();
                return server;
            } catch (RuntimeException e) {
                server.close();
                // Between finding a free port and binding it, another process may have taken it.
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("already in use")) {
                    throw e;
                }
            }
        }
    }

    /** Makes it the member of an ensemble with this number, from 1. */
    ZooKeeperSettings member(int number) {
        member = number;
        return this;
    }

    ZooKeeperServer launch(int port) {
        try {
            return new ZooKeeperServer(this, port);
        } catch (IOException e) {
            throw new UncheckedIOException("The files of a ZooKeeper server cannot be written", e);
        }
    }

    /** A port that was free a moment ago, for a line of the configuration file, such as {@code secureClientPort=}. */
    public static int freePort() {
        try {
            return Ports.free();
        } catch (IOException e) {
            throw new UncheckedIOException("No free port", e);
        }
    }

    /** Writes what the server reads when it starts. */
    void write(Path folder, int port) throws IOException {
        Path data = Files.createDirectory(folder.resolve(DATA));
        List<String> config = new ArrayList<>(List.of(
                "tickTime=" + TICK.toMillis(),
                // Limits in ticks: long enough for a process that has to wait for the processor, short enough to wait
                // for in a test.
                "initLimit=50",
                // In ticks: long enough for a process that has to wait for the processor, short enough to wait for in a
                // test.
                "syncLimit=20",
                "maxSessionTimeout=600000",
                "dataDir=" + data,
                "clientPortAddress=127.0.0.1",
                "clientPort=" + port,
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=*"));
        config.addAll(lines);
        Files.write(folder.resolve(CONFIG), config);
        if (member > 0) {
            Files.writeString(data.resolve("myid"), Integer.toString(member));
        }
    }

    List<String> jvmOptions() {
        List<String> options = new ArrayList<>(List.of("-Xmx96m"));
        properties.forEach((name, value) -> options.add("-D" + name + "=" + value));
        if (settableClock) {
            options.addAll(ClockAgent.options(Duration.ZERO));
        }
        return options;
    }
}
