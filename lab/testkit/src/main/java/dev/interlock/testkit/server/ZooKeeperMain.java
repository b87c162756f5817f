package dev.interlock.testkit.server;

import dev.interlock.testkit.process.ChildMain;
import dev.interlock.testkit.process.WrongClock;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import org.apache.zookeeper.audit.AuditEvent;
import org.apache.zookeeper.audit.AuditLogger;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.jspecify.annotations.Nullable;

/**
 * The process of a ZooKeeper server. It ends with its test, and takes five orders:
 *
 * <ul>
 *   <li>{@code sessions}: answers {@code sessions} and the ids, in decimal, of all sessions that this server knows of,
 *       wherever their clients are connected;
 *   <li>{@code expire <id>}: ends a session as if its time were over, and answers {@code expired};
 *   <li>{@code clock <duration>}: sets its clock on by this, and answers {@code clock};
 *   <li>{@code sequence <number> <path>}: gives the next sequential child of this node this number, and answers
 *       {@code sequence};
 *   <li>{@code zxid <number>}: gives the next transaction the number behind this, and answers {@code zxid}.
 * </ul>
 *
 * <p>All answer {@code unavailable} while it serves nobody.
 */
public final class ZooKeeperMain {

    static final String SESSIONS = "sessions";
    static final String EXPIRE = "expire";
    static final String EXPIRED = "expired";
    static final String CLOCK = "clock";
    static final String SEQUENCE = "sequence";
    static final String ZXID = "zxid";
    static final String UNAVAILABLE = "unavailable";

    private ZooKeeperMain() {}

    /** Runs the server of this configuration file; whatever libraries print goes to the file named second. */
    public static void main(String[] arguments) throws IOException {
        System.setErr(new PrintStream(new FileOutputStream(arguments[1], true), true, StandardCharsets.UTF_8));
        ChildMain parent = new ChildMain();
        System.setOut(System.err);
        new Thread(() -> serve(arguments[0]), "zookeeper").start();
        for (String order = parent.hearOrDie(); ; order = parent.hearOrDie()) {
            parent.say(answer(order));
        }
    }

    private static void serve(String file) {
        try {
            QuorumPeerConfig config = new QuorumPeerConfig();
            config.parse(file);
            if (config.isDistributed()) {
                new QuorumPeerMain().runFromConfig(config);
            } else {
                ServerConfig alone = new ServerConfig();
                alone.readFrom(config);
                new ZooKeeperServerMain().runFromConfig(alone);
            }
        } catch (Exception e) {
            e.printStackTrace(System.err);
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }

    private static String answer(String order) {
        org.apache.zookeeper.server.ZooKeeperServer server = Connections.server();
        if (server == null || !server.isRunning()) {
            return UNAVAILABLE;
        }
        if (order.startsWith(EXPIRE)) {
            server.closeSession(Long.parseLong(order.substring(EXPIRE.length()).strip()));
            return EXPIRED;
        }
        if (order.startsWith(CLOCK)) {
            WrongClock.shift(Duration.parse(order.substring(CLOCK.length()).strip()));
            return CLOCK;
        }
        if (order.startsWith(SEQUENCE)) {
            String[] words = order.split(" ", 3);
            DataNode node = server.getZKDatabase().getNode(words[2]);
            synchronized (node) {
                node.stat.setCversion(Integer.parseInt(words[1]));
            }
            return SEQUENCE;
        }
        if (order.startsWith(ZXID)) {
            server.setZxid(Long.parseLong(order.substring(ZXID.length()).strip()));
            return ZXID;
        }
        return server.getZKDatabase().getSessionWithTimeOuts().keySet().stream()
                .map(String::valueOf)
                .collect(Collectors.joining(" ", SESSIONS + " ", ""));
    }

    /**
     * The usual connections of clients, made by ZooKeeper by the name of this class. They can be found, and with them
     * the server, which is another one in each role.
     */
    public static final class Connections extends NIOServerCnxnFactory {

        private static volatile @Nullable Connections only;

        @Override
        public void configure(InetSocketAddress address, int most, int backlog, boolean secure) throws IOException {
            super.configure(address, most, backlog, secure);
            only = this;
        }

        static org.apache.zookeeper.server.@Nullable ZooKeeperServer server() {
            Connections connections = only;
            return connections == null ? null : connections.zkServer;
        }
    }

    /** Writes what the server records of each request that writes: by whom, what, where, and whether it was done. */
    public static final class Audit implements AuditLogger {

        @Override
        public void logAuditEvent(AuditEvent event) {
            System.err.println(event);
        }
    }
}
