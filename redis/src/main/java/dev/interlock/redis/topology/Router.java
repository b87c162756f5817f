package dev.interlock.redis.topology;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Node;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.command.Redirect;
import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.connection.Handshake;
import dev.interlock.redis.connection.HelloReply;
import dev.interlock.redis.connection.NodeConnection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of calls to the servers. It begins at the one server that is known; if that says that it belongs to a
 * cluster, each call goes to the master of its slot from then on. Neither a setting nor a command is needed to tell:
 * the answer to {@code HELLO}, which every connection begins with, says it.
 *
 * <p>A server that knows better where to ask, or says that it is too early, is obeyed as long as a call's small budget
 * lasts; what is cancelled meanwhile is not sent again.
 */
public final class Router {

    /** The most commands that are written for one question. Then its caller hears what the server has said last. */
    public static final int MOST_COMMANDS = 10;

    /**
     * So many servers may send a call on without a pause: one that has not been looked for since its slot moved, one
     * that is about to give it away, and the one that gets it. More do only while they have not heard of each other's
     * news, and ten commands in a row would be over before they have.
     */
    private static final int REDIRECTS_AT_ONCE = 3;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(320);

    private final Connector connector;
    private final Handshake handshake;
    private final NodeConnection home;
    private volatile @Nullable Cluster cluster;
    private volatile boolean closed;

    /** Whether a server has said what it is. */
    private volatile boolean greeted;

    public Router(Connector connector) {
        this.connector = connector;
        this.handshake = new Handshake();
        this.home = new NodeConnection(connector, handshake, this::rejectionOf, this::refreshTopology);
        connector.onMasterSwitch(home::disconnect);
    }

    /**
     * Sends it to the server that it concerns, now or as soon as there is a connection. The call hears what becomes of
     * it.
     */
    public void send(Command<?> call) {
        Cluster known = cluster;
        NodeConnection node = known == null ? home : known.node(call.slot());
        node.send(call);
    }

    /**
     * Sends a call again that a server has not answered in earnest.
     *
     * @return false if the error is an answer, or the call's budget is used up
     */
    public boolean retry(Command<?> call, String error) {
        Redirect redirect = Redirect.of(error);
        Node asked = call.node();
        // Asking elsewhere costs two commands at most.
        if (redirect == null || asked == null || closed || call.commandCount() + 2 > MOST_COMMANDS) {
            return false;
        }
        Cluster known = cluster;
        if (known != null && call.slot() < 0) {
            // It was for that server and no other.
            return false;
        }
        call.reset();
        switch (redirect.kind()) {
            case MOVED, ASK -> {
                if (known == null) {
                    return false;
                }
                call.countRedirect();
                if (call.redirects() <= REDIRECTS_AT_ONCE) {
                    known.follow(redirect, call, asked);
                } else {
                    connector.schedule(() -> known.follow(redirect, call, asked), pause(call));
                }
            }
            case LATER -> later(call);
            case DOWN -> {
                refreshTopology();
                later(call);
            }
            case DEMOTED -> {
                asked.disconnect();
                refreshTopology();
                later(call);
            }
        }
        return true;
    }

    /** The server that is asked for this slot now; null if there is only one, or it is not known yet. */
    @Nullable
    public Connector connectorOf(int slot) {
        Cluster known = cluster;
        return known == null ? null : known.connectorOf(slot);
    }

    /** The cluster, if it is one; null if it is none, or if nothing has been asked yet. */
    @Nullable
    public Cluster cluster() {
        return cluster;
    }

    /**
     * Done when it is known who has what. Mostly at once: whoever waits has been answered by then, though with
     * {@code replicas} not over this link.
     */
    public CompletableFuture<?> slotsKnown() {
        Cluster known = cluster;
        if (known != null) {
            return known.slotsKnown();
        }
        if (greeted) {
            return CompletableFuture.completedFuture(true);
        }
        // A user without the right to ask goes on as if there were no cluster.
        return masters()
                .handle((all, failure) -> cluster)
                .thenCompose(found -> found == null ? CompletableFuture.completedFuture(true) : found.slotsKnown());
    }

    /** All servers that have locks, as soon as it is known which they are. */
    public CompletableFuture<Collection<NodeConnection>> masters() {
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

    public void close() {
        closed = true;
        Cluster known = cluster;
        if (known != null) {
            known.close();
        }
        home.close();
    }

    private void later(Command<?> call) {
        connector.schedule(
                () -> {
                    if (!call.isDone()) {
                        send(call);
                    }
                },
                pause(call));
    }

    /** Before its next command; the longer, the more there have been. */
    private static Duration pause(Command<?> call) {
        Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(call.commandCount() - 1, 10));
        return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }

    private void refreshTopology() {
        Cluster known = cluster;
        if (known != null) {
            known.refresh();
        }
    }

    /** Comes before the answers to all that was sent on the same connection. */
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
