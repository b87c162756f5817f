package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Three ZooKeeper servers that agree on everything, each in a JVM of its own. One of them leads; two are enough to
 * serve.
 *
 * <p>To be used by one thread at a time, apart from {@link #leader} and the strings.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {

    /** How many servers. */
    public static final int SIZE = 3;

    private static final int ATTEMPTS = 3;
    private static final Duration PATIENCE = Patience.FULL;

    private final List<ZooKeeperServer> servers = new ArrayList<>();
    private final @Nullable EnsembleLinks links;

    private ZooKeeperEnsemble(EnsembleLinks addresses, boolean divisible, UnaryOperator<ZooKeeperSettings> configured) {
        links = divisible ? addresses : null;
        try {
            for (int number = 1; number <= SIZE; number++) {
                ZooKeeperSettings settings = addresses.configure(configured.apply(new ZooKeeperSettings()), number);
                // A server that cannot be reached must not hold up the talk with the third for long.
                settings.property("zookeeper.cnxTimeout", "500")
                        .property("zookeeper.fastleader.maxNotificationInterval", "500");
                servers.add(settings.launch(ZooKeeperSettings.freePort()));
            }
            servers.forEach(ZooKeeperServer::awaitServing);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Starts three servers; returns when all of them serve. */
    public static ZooKeeperEnsemble start() {
        return start(UnaryOperator.identity());
    }

    /** The same, each of them configured so. */
    public static ZooKeeperEnsemble start(UnaryOperator<ZooKeeperSettings> configured) {
        return start(false, configured);
    }

    /** The same, with proxies between the servers, so that one of them can be {@linkplain #isolate isolated}. */
    public static ZooKeeperEnsemble startDivisible() {
        return startDivisible(UnaryOperator.identity());
    }

    /** The same, each of them configured so. */
    public static ZooKeeperEnsemble startDivisible(UnaryOperator<ZooKeeperSettings> configured) {
        return start(true, configured);
    }

    private static ZooKeeperEnsemble start(boolean divisible, UnaryOperator<ZooKeeperSettings> configured) {
        for (int attempt = 1; ; attempt++) {
            EnsembleLinks links = new EnsembleLinks(SIZE);
            try {
                if (divisible) {
                    links.open();
                }
                return new ZooKeeperEnsemble(links, divisible, configured);
            } catch (RuntimeException e) {
                links.close();
                // Between finding a free port and binding it, another process may have taken it.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** All three. */
    public List<ZooKeeperServer> servers() {
        return List.copyOf(servers);
    }

    /** {@code 127.0.0.1:port,127.0.0.1:port,127.0.0.1:port}. */
    public String connectString() {
        return servers.stream().map(ZooKeeperServer::connectString).collect(Collectors.joining(","));
    }

    /** {@code zk://} and {@link #connectString}. */
    public String uri() {
        return "zk://" + connectString();
    }

    /** The connect string of clients that reach the servers through these proxies. */
    public static String connectString(List<FaultProxy> proxies) {
        return proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(","));
    }

    /** Who leads now; empty if nobody does, or two say so at this moment. */
    public Optional<ZooKeeperServer> leader() {
        List<ZooKeeperServer> leaders = withRole(ZooKeeperServer.Role.LEADER);
        return leaders.size() == 1 ? Optional.of(leaders.get(0)) : Optional.empty();
    }

    /** Waits until one leads, and another follows it. */
    public ZooKeeperServer awaitLeader() {
        return awaitLeader(leader -> true);
    }

    /** Waits until another one than this leads, and a third follows it. */
    public ZooKeeperServer awaitLeaderOtherThan(ZooKeeperServer before) {
        return awaitLeader(leader -> leader != before);
    }

    /** Waits until all three serve. */
    public void awaitWhole() {
        servers.forEach(ZooKeeperServer::awaitServing);
    }

    /** The servers that follow now. */
    public List<ZooKeeperServer> followers() {
        return withRole(ZooKeeperServer.Role.FOLLOWER);
    }

    /**
     * Cuts this server off from the two others, both ways, until {@link #heal()}; clients still reach it.
     *
     * @throws IllegalStateException if the ensemble was not started {@linkplain #startDivisible divisible}
     */
    public void isolate(ZooKeeperServer server) {
        links().isolate(servers.indexOf(server) + 1);
    }

    /** Ends the isolation: what was held back arrives. */
    public void heal() {
        links().heal();
    }

    /** Bytes between servers that met a cut, so far. */
    public long heldBytes() {
        return links().heldBytes();
    }

    /** Ends a session as if its time were over; see {@link ZooKeeperServer#expire}. */
    public void expire(long session) {
        awaitLeader().expire(session);
    }

    @Override
    public void close() {
        servers.forEach(ZooKeeperServer::close);
        if (links != null) {
            links.close();
        }
    }

    private EnsembleLinks links() {
        if (links == null) {
            throw new IllegalStateException("Only a divisible ensemble can be divided: use startDivisible()");
        }
        return links;
    }

    private List<ZooKeeperServer> withRole(ZooKeeperServer.Role role) {
        return servers.stream().filter(server -> server.role() == role).toList();
    }

    private ZooKeeperServer awaitLeader(Predicate<ZooKeeperServer> wanted) {
        return Awaitility.await("a leader with a majority")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        this::leader,
                        leader -> leader.filter(wanted).isPresent()
                                && !followers().isEmpty())
                .orElseThrow();
    }
}
