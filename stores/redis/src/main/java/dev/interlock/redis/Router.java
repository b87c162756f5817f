package dev.interlock.redis;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Node;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.command.Redirect;
import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.connection.Handshake;
import dev.interlock.redis.connection.HelloReply;
import dev.interlock.redis.connection.NodeConnection;
import dev.interlock.spi.Log;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sends each command to the server that it concerns. At first this is the one server that is known. If that server
 * belongs to a cluster, each command goes to the master of its slot from then on. This needs neither a setting nor an
 * additional command: the reply to {@code HELLO}, with which every connection begins, says so.
 *
 * <p>A server may redirect a command or ask for it again later. The router obeys within a small budget for each
 * command. A command that is cancelled meanwhile is not sent again. Thread-safe.
 */
final class Router {

    /** The most commands that are sent for one request. After that the request fails with the last error. */
    static final int MOST_COMMANDS = 10;

    /**
     * The number of redirections that are followed without a pause: from the server that had the slot, from one that is
     * exporting it, and from the one that imports it. More happen only while servers have not received each other's
     * news, and ten commands without pauses would be over before that.
     */
    private static final int REDIRECTS_AT_ONCE = 3;

    private static final System.Logger LOG = Log.named("dev.interlock.redis");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(320);

    private final Connector connector;
    private final Handshake handshake;
    private final NodeConnection home;
    private volatile @Nullable Cluster cluster;
    private volatile boolean closed;

    /** Whether a server has refused scripts by their digests, and accepted them in full. */
    private final AtomicBoolean sendsScriptsInFull = new AtomicBoolean();

    /** Whether a server has replied to {@code HELLO}. */
    private volatile boolean greeted;

    Router(Connector connector) {
        this.connector = connector;
        this.handshake = new Handshake();
        this.home = new NodeConnection(connector, handshake, this::rejectionOf, this::refreshTopology);
        connector.onMasterSwitch(home::disconnect);
    }

    /**
     * Sends the command to the server that it concerns, now or as soon as there is a connection. A failure completes
     * the command.
     */
    void send(Command<?> command) {
        Cluster known = cluster;
        NodeConnection node = known == null ? home : known.node(command.slot());
        node.send(command);
    }

    /**
     * Sends a command again if the error is not an answer.
     *
     * @return false if the error is an answer, or the command's budget is used up
     */
    boolean retry(Command<?> command, String error) {
        Redirect redirect = Redirect.of(error);
        Node asked = command.node();
        // Another attempt takes two commands at most.
        if (redirect == null || asked == null || closed || command.commandCount() + 2 > MOST_COMMANDS) {
            return false;
        }
        Cluster known = cluster;
        if (known != null && command.slot() < 0) {
            // It was meant for that server alone.
            return false;
        }
        command.reset();
        switch (redirect.kind()) {
            case MOVED, ASK -> {
                if (known == null) {
                    return false;
                }
                command.countRedirect();
                if (command.redirects() <= REDIRECTS_AT_ONCE) {
                    known.follow(redirect, command, asked);
                } else {
                    connector.schedule(() -> known.follow(redirect, command, asked), pause(command));
                }
            }
            case LATER -> later(command);
            case DOWN -> {
                refreshTopology();
                later(command);
            }
            case DEMOTED -> {
                asked.disconnect();
                refreshTopology();
                later(command);
            }
        }
        return true;
    }

    /** Whether there is a connection; in a cluster, whether its servers are known. */
    boolean isConnected() {
        return cluster != null || home.isConnected();
    }

    /** Whether scripts are sent in full, and not by their digests. */
    boolean sendsScriptsInFull() {
        return sendsScriptsInFull.get();
    }

    /** Sends scripts in full from now on, for this reason, which is logged once. */
    void sendScriptsInFull(Throwable reason) {
        if (sendsScriptsInFull.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "Scripts are sent to Redis in full, with EVAL, which costs some kilobytes for each request: allow "
                            + "EVALSHA and SCRIPT LOAD to save them, and open the client anew; server="
                            + connector.description() + " (" + reason.getMessage() + ")");
        }
    }

    /** The connector to the present master of this slot; null if there is no cluster, or it is not known yet. */
    @Nullable
    Connector connectorOf(int slot) {
        Cluster known = cluster;
        return known == null ? null : known.connectorOf(slot);
    }

    /** The cluster; null if there is none, or if no server has replied yet. */
    @Nullable
    Cluster cluster() {
        return cluster;
    }

    /**
     * Completes when the masters of all slots are known, mostly at once: a claim that waits has received a reply
     * before, though with {@code replicas} not by this router.
     */
    CompletableFuture<?> slotsKnown() {
        Cluster known = cluster;
        if (known != null) {
            return known.slotsKnown();
        }
        if (greeted) {
            return CompletableFuture.completedFuture(true);
        }
        // Without the right to ask, the store goes on as if there were no cluster.
        return masters()
                .handle((all, failure) -> cluster)
                .thenCompose(found -> found == null ? CompletableFuture.completedFuture(true) : found.slotsKnown());
    }

    /** All servers that have locks, as soon as they are known. */
    CompletableFuture<Collection<NodeConnection>> masters() {
        Cluster found = cluster;
        if (found != null) {
            return found.masters();
        }
        PlainCommand hello = Handshake.hello();
        send(hello);
        return hello.thenCompose(reply -> {
            Cluster known = cluster;
            return known == null ? CompletableFuture.completedFuture(List.of(home)) : known.masters();
        });
    }

    void close() {
        closed = true;
        Cluster known = cluster;
        if (known != null) {
            known.close();
        }
        home.close();
    }

    private void later(Command<?> command) {
        connector.schedule(
                () -> {
                    if (!command.isDone()) {
                        send(command);
                    }
                },
                pause(command));
    }

    /** The pause before the next attempt, which doubles each time. */
    private static Duration pause(Command<?> command) {
        Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(command.commandCount() - 1, 10));
        return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }

    private void refreshTopology() {
        Cluster known = cluster;
        if (known != null) {
            known.refresh();
        }
    }

    /** Called before the replies to all other commands on the same connection. */
    private @Nullable RuntimeException rejectionOf(HelloReply greeting) {
        RuntimeException problem = connector.rejectionOf(greeting);
        if (problem == null && greeting.isCluster()) {
            clusterFound();
        }
        greeted = true;
        return problem;
    }

    private void clusterFound() {
        synchronized (this) {
            if (cluster != null || closed) {
                return;
            }
            cluster = new Cluster(connector, handshake, home);
        }
        refreshTopology();
    }
}
