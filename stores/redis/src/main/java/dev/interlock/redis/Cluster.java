package dev.interlock.redis;

import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.Node;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.command.Redirect;
import dev.interlock.redis.command.Reply;
import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.connection.Handshake;
import dev.interlock.redis.connection.NodeConnection;
import dev.interlock.spi.Log;
import dev.interlock.support.Host;
import io.lettuce.core.protocol.CommandType;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The masters of a cluster, a connection to each, and their slots. The slots are queried again when a server redirects
 * a command, cannot be reached or falls silent: from each master in turn, so that one that is stopped is skipped.
 * Thread-safe.
 */
final class Cluster {

    /** The shortest time between two queries of the slots. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** How long a server may take to reply before the next is asked. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * The time until the query is repeated after a refusal, as long as no slots are known: the right may be granted.
     */
    private static final Duration REFUSED = Duration.ofSeconds(5);

    /** How long a connection to a server that is no longer a master is kept, for the commands in flight. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private static final System.Logger LOG = Log.named("dev.interlock.redis");

    private final Connector connector;
    private final Handshake handshake;
    private final NodeConnection home;
    private final Map<Host, NodeConnection> nodes = new ConcurrentHashMap<>();
    private final AtomicBoolean querying = new AtomicBoolean();
    private final AtomicBoolean retrying = new AtomicBoolean();
    private final AtomicBoolean refused = new AtomicBoolean();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile SlotMap map = SlotMap.EMPTY;

    /**
     * Completes when the slots are known. Written under this object's monitor: a failed one is replaced at the first
     * success.
     */
    private volatile CompletableFuture<Boolean> slots = new CompletableFuture<>();

    private volatile long queriedNanos = System.nanoTime() - PAUSE.toNanos();
    private volatile boolean closed;

    /** @param home the connection that found the cluster */
    Cluster(Connector connector, Handshake handshake, NodeConnection home) {
        this.connector = connector;
        this.handshake = handshake;
        this.home = home;
        Host address = connector.address();
        // A connection that may lead to another server next time belongs to no server in particular.
        if (address != null && connector.isFixed()) {
            nodes.put(address, home);
        }
    }

    /** The master of this slot; if it is not known, the first server, which redirects the command. */
    NodeConnection node(int slot) {
        Host address = slot < 0 ? null : map.of(slot);
        return address == null ? home : node(address);
    }

    /** The connector to the present master of this slot; null if it is not known. */
    @Nullable
    Connector connectorOf(int slot) {
        Host address = map.of(slot);
        return address == null ? null : node(address).connector();
    }

    /** Sends the command where a server has redirected it. */
    void follow(Redirect redirect, Command<?> command, Node asked) {
        Host askedAt = asked.address();
        String askedHost = askedAt == null ? "" : askedAt.name();
        Host there = new Host(SlotMap.host(redirect.host(), askedHost), redirect.port());
        if (redirect.kind() == Redirect.Kind.ASK) {
            if (!command.isDone()) {
                node(there).sendAsking(command);
            }
            return;
        }
        synchronized (this) {
            map = map.with(redirect.slot(), there);
        }
        refresh();
        if (!command.isDone()) {
            node(there).send(command);
        }
    }

    /** Completes when the masters of all slots are known. Callers must not complete it. */
    CompletableFuture<Boolean> slotsKnown() {
        return slots;
    }

    /** All masters, as soon as they are known. */
    CompletableFuture<Collection<NodeConnection>> masters() {
        return slots.thenApply(done -> {
            List<NodeConnection> all = new ArrayList<>();
            map.masters().forEach(address -> all.add(node(address)));
            return all;
        });
    }

    /** Queries the slots again, unless that has just been done. */
    void refresh() {
        if (!closed && querying.compareAndSet(false, true)) {
            long since = System.nanoTime() - queriedNanos;
            Duration wait = PAUSE.minusNanos(since);
            if (wait.isNegative()) {
                query(candidates(), 0);
            } else {
                connector.schedule(() -> query(candidates(), 0), wait);
            }
        }
    }

    void close() {
        closed = true;
        nodes.values().forEach(NodeConnection::close);
        slots.completeExceptionally(Failures.closed());
    }

    private NodeConnection node(Host address) {
        NodeConnection known = nodes.get(address);
        if (known != null) {
            return known;
        }
        NodeConnection made = nodes.computeIfAbsent(
                address, a -> new NodeConnection(connector.forNode(a), handshake, greeting -> null, this::refresh));
        if (closed) {
            made.close();
        }
        return made;
    }

    /** Each query begins with another master. The first server comes last, in case all masters are gone. */
    private List<NodeConnection> candidates() {
        List<NodeConnection> all = new ArrayList<>();
        map.masters().forEach(address -> all.add(node(address)));
        if (!all.isEmpty()) {
            Collections.rotate(all, -(turn.getAndIncrement() % all.size()));
        }
        if (!all.contains(home)) {
            all.add(home);
        }
        return all;
    }

    private void query(List<NodeConnection> candidates, int next) {
        if (closed || next == candidates.size()) {
            queryDone();
            return;
        }
        NodeConnection asked = candidates.get(next);
        PlainCommand query = new PlainCommand(CommandType.CLUSTER, "SLOTS");
        var unused = query.handle((reply, failure) -> {
            if (reply != null && update(reply, asked)) {
                queryDone();
            } else {
                warnOfMissingRight(failure);
                if (reply != null && candidates.size() == 1) {
                    skipHome();
                }
                query(candidates, next + 1);
            }
            return reply;
        });
        connector.schedule(() -> query.cancel(false), PATIENCE);
        asked.send(query);
    }

    /** The first server is the only one that is known, and it knows of no slots: tries another of the seed nodes. */
    private void skipHome() {
        if (connector.skip(home.address())) {
            home.disconnect();
        }
    }

    private void queryDone() {
        queriedNanos = System.nanoTime();
        querying.set(false);
        CompletableFuture<Boolean> first = slots;
        boolean nothingLearnt = !first.isDone() || first.isCompletedExceptionally();
        // A server that owns its slots redirects no command, so nothing else would start a query.
        if (nothingLearnt && !closed && retrying.compareAndSet(false, true)) {
            connector.schedule(
                    () -> {
                        retrying.set(false);
                        refresh();
                    },
                    first.isDone() ? REFUSED : PATIENCE);
        }
    }

    /** Ignores a reply that cannot be parsed, so that the next server is asked: an exception would end all queries. */
    private static SlotMap parse(Reply reply, String askedHost) {
        try {
            return SlotMap.of(reply, askedHost);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "The reply of a server of a Redis cluster to CLUSTER SLOTS cannot be parsed", e);
            return SlotMap.EMPTY;
        }
    }

    /** Returns false if the server knows of no slots, because it has lost its data or has not joined yet. */
    private boolean update(Reply reply, NodeConnection asked) {
        Host askedAt = asked.address();
        SlotMap reported = parse(reply, askedAt == null ? "" : askedAt.name());
        if (reported.masters().isEmpty()) {
            return false;
        }
        synchronized (this) {
            map = reported;
            if (slots.isCompletedExceptionally() && !closed) {
                slots = new CompletableFuture<>();
            }
        }
        slots.complete(true);
        connector.schedule(this::disconnectOthers, FAREWELL);
        return true;
    }

    private void disconnectOthers() {
        SlotMap now = map;
        nodes.forEach((address, node) -> {
            if (!now.masters().contains(address)) {
                node.disconnect();
            }
        });
    }

    private void warnOfMissingRight(@Nullable Throwable failure) {
        if (!(failure instanceof StoreUnavailableException)
                || !String.valueOf(failure.getMessage()).contains("lacks a right")) {
            return;
        }
        if (refused.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "The slots of the cluster are learnt from redirections alone: the Redis user lacks a right, give it"
                            + " with ACL SETUSER: +cluster|slots");
        }
        slots.completeExceptionally(failure);
    }
}
