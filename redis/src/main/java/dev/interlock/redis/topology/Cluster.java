package dev.interlock.redis.topology;

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
 * The masters of a cluster, a connection for each, and which slots they have. Who has what is asked for when a server
 * says that something has moved, cannot be reached or falls silent: of each master in turn, so that one that stands
 * still is passed over.
 */
public final class Cluster {

    /** The shortest time between two looks at who has what. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** How long a server may take to say it before the next is asked. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * How long after a refusal it is asked again, as long as nothing has been learnt: the right may have been given.
     */
    private static final Duration REFUSED = Duration.ofSeconds(5);

    /** For how long a connection that is not needed any more is kept, for the sake of what is in flight on it. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private static final System.Logger LOG = System.getLogger("dev.interlock.redis");

    private final Connector connector;
    private final Handshake handshake;
    private final NodeConnection home;
    private final Map<Host, NodeConnection> nodes = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicBoolean retrying = new AtomicBoolean();
    private final AtomicBoolean refused = new AtomicBoolean();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile SlotMap map = SlotMap.EMPTY;

    /** Written under this monitor: one that has failed is replaced by the first success. */
    private volatile CompletableFuture<Boolean> firstLook = new CompletableFuture<>();

    private volatile long lookedNanos = System.nanoTime() - PAUSE.toNanos();
    private volatile boolean closed;

    /** @param home the connection by which the cluster was found */
    Cluster(Connector connector, Handshake handshake, NodeConnection home) {
        this.connector = connector;
        this.handshake = handshake;
        this.home = home;
        Host address = connector.address();
        // The way in that may lead elsewhere tomorrow is the way to nobody in particular.
        if (address != null && connector.isFixed()) {
            nodes.put(address, home);
        }
    }

    /** Whom to ask about this slot; the first server if it is not known who has it, which will say it. */
    public NodeConnection node(int slot) {
        Host address = slot < 0 ? null : map.of(slot);
        return address == null ? home : node(address);
    }

    /** The present master of this slot; null if it is not known. */
    @Nullable
    Connector connectorOf(int slot) {
        Host address = map.of(slot);
        return address == null ? null : node(address).connector();
    }

    /** Does what a server has said about where to ask. */
    void follow(Redirect redirect, Command<?> call, Node asked) {
        Host askedAt = asked.address();
        String askedHost = askedAt == null ? "" : askedAt.name();
        Host there = new Host(SlotMap.host(redirect.host(), askedHost), redirect.port());
        if (redirect.kind() == Redirect.Kind.ASK) {
            if (!call.isDone()) {
                node(there).sendAsking(call);
            }
            return;
        }
        synchronized (this) {
            map = map.with(redirect.slot(), there);
        }
        refresh();
        if (!call.isDone()) {
            node(there).send(call);
        }
    }

    /** Done when it is known who has what. Not to be completed by others. */
    CompletableFuture<Boolean> slotsKnown() {
        return firstLook;
    }

    /** All masters, once they are known. */
    CompletableFuture<Collection<NodeConnection>> masters() {
        return firstLook.thenApply(done -> {
            List<NodeConnection> all = new ArrayList<>();
            map.masters().forEach(address -> all.add(node(address)));
            return all;
        });
    }

    /** Asks who has what, unless that has just been done. */
    void refresh() {
        if (!closed && looking.compareAndSet(false, true)) {
            long since = System.nanoTime() - lookedNanos;
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
        firstLook.completeExceptionally(Failures.closed());
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

    /** Each look begins with another master; where the store began comes last, in case that all of them are gone. */
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
        PlainCommand slots = new PlainCommand(CommandType.CLUSTER, "SLOTS");
        var unused = slots.handle((reply, failure) -> {
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
        connector.schedule(() -> slots.cancel(false), PATIENCE);
        asked.send(slots);
    }

    /**
     * Nobody is known but the server where the store began, and that one knows of no slots: perhaps another of those
     * that were named does.
     */
    private void skipHome() {
        if (connector.skip(home.address())) {
            home.disconnect();
        }
    }

    private void queryDone() {
        lookedNanos = System.nanoTime();
        looking.set(false);
        CompletableFuture<Boolean> first = firstLook;
        boolean nothingLearnt = !first.isDone() || first.isCompletedExceptionally();
        // A server that owns what it is asked for gives nobody another reason to look.
        if (nothingLearnt && !closed && retrying.compareAndSet(false, true)) {
            connector.schedule(
                    () -> {
                        retrying.set(false);
                        refresh();
                    },
                    first.isDone() ? REFUSED : PATIENCE);
        }
    }

    /** What cannot be read tells nothing, and others are asked: an exception here would end all looking. */
    private static SlotMap parse(Reply reply, String askedHost) {
        try {
            return SlotMap.of(reply, askedHost);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "A server of a Redis cluster answers CLUSTER SLOTS as no other does", e);
            return SlotMap.EMPTY;
        }
    }

    /** A server that has lost its memory, or that nobody has told anything yet, knows of no slots. */
    private boolean update(Reply reply, NodeConnection asked) {
        Host askedAt = asked.address();
        SlotMap told = parse(reply, askedAt == null ? "" : askedAt.name());
        if (told.masters().isEmpty()) {
            return false;
        }
        synchronized (this) {
            map = told;
            if (firstLook.isCompletedExceptionally() && !closed) {
                firstLook = new CompletableFuture<>();
            }
        }
        firstLook.complete(true);
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
                    "Who has which slots of the cluster is learnt by mistakes alone: the Redis user lacks a right, give it"
                            + " with ACL SETUSER: +cluster|slots");
        }
        firstLook.completeExceptionally(failure);
    }
}
