package dev.interlock.redis.connection;

import static dev.interlock.redis.connection.ConnectionState.CLOSED;
import static dev.interlock.redis.connection.ConnectionState.CONNECTING;
import static dev.interlock.redis.connection.ConnectionState.FLUSHING;
import static dev.interlock.redis.connection.ConnectionState.IDLE;
import static dev.interlock.redis.connection.ConnectionState.OPEN;
import static dev.interlock.redis.connection.ConnectionState.PROBING;
import static dev.interlock.redis.connection.ConnectionState.SUSPECT;
import static dev.interlock.redis.connection.ConnectionState.VERIFYING;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.redis.command.AskingCommand;
import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.Node;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.command.Script;
import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one server, or to whichever server is the master at present. The first command opens it. Commands
 * that come before it is open wait for it, and fail if it cannot be opened; then the next command tries again. A
 * connection that breaks is closed together with the commands in flight and is never reconnected: the outcome of those
 * commands is unknown, and nothing is sent twice.
 *
 * <p>However many callers there are, a server that cannot be reached or does not reply costs no more than one caller
 * would: one attempt to connect at a time, with pauses between them. After a silence the next connection must first
 * show that the server replies. Until then commands wait.
 *
 * <pre>
 *             command                connected             none waits
 *    IDLE --------------> CONNECTING ---------> FLUSHING -------------> OPEN
 *     |                       |                     ^
 *     | silence               | silence             | replied
 *     v       command         v      connected      |
 *   SUSPECT -----------> PROBING ----------> VERIFYING
 *
 *   CONNECTING -> IDLE; PROBING, VERIFYING -> SUSPECT    the attempt failed
 *   FLUSHING, OPEN -> IDLE                               the server is not usable, broken, or OPEN: disconnect()
 *   FLUSHING, OPEN -> SUSPECT                            broken before the first reply, or OPEN: silence
 *   FLUSHING -> CONNECTING; VERIFYING -> PROBING         disconnect(): another attempt for the commands that wait
 *   all -> CLOSED                                        close()
 * </pre>
 *
 * <p>Every field that changes is guarded by {@code monitor}, except for those that say otherwise. Under the monitor
 * nothing is sent, completed, closed or called, so it comes last in every lock order. An event that belongs to a
 * connection, such as its breaking or the reply to its handshake, counts only while that connection is {@code current};
 * otherwise another event has decided about it already.
 */
public final class NodeConnection implements Node {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(320);

    /** A server counts as silent when callers keep giving up for this long without any reply. */
    static final Duration SILENCE = Duration.ofSeconds(2);

    private final Connector connector;
    private final Handshake handshake;
    private final Function<HelloReply, @Nullable RuntimeException> rejection;
    private final Runnable onTrouble;
    private final LongSupplier nanoTime;
    private final Object monitor = new Object();

    /** {@code SCRIPT LOAD} commands under way. Thread-safe by itself. */
    private final Map<Script, PlainCommand> loading = new ConcurrentHashMap<>();

    /** The current connection in the state {@code OPEN}, else null. Commands read it without the monitor. */
    private volatile @Nullable RedisChannelHandler<?, ?> live;

    /** See {@link #address()}. Written by the thread that opens a connection, before anything is sent on it. */
    private volatile @Nullable Host address;

    /** The number of replies. Written by the thread that reads, one at a time; others may see an older number. */
    private long replies;

    @GuardedBy("monitor")
    private ConnectionState state = IDLE;

    /** The connection in the states {@code VERIFYING}, {@code FLUSHING} and {@code OPEN}, else null. */
    @GuardedBy("monitor")
    private @Nullable RedisChannelHandler<?, ?> current;

    /** Whether the server has replied to the handshake of the current connection. */
    @GuardedBy("monitor")
    private boolean replied;

    /** The commands that wait. Empty in the states {@code IDLE}, {@code SUSPECT}, {@code OPEN} and {@code CLOSED}. */
    @GuardedBy("monitor")
    private List<Command<?>> waiting = new ArrayList<>();

    /** The pause before the next attempt to connect. */
    @GuardedBy("monitor")
    private Duration pause = Duration.ZERO;

    /** The number of calls of {@link #disconnect()}: a connection that was begun before the last one is not used. */
    @GuardedBy("monitor")
    private long disconnects;

    /** The number of replies when a caller last gave up after a reply; -1 before. */
    @GuardedBy("monitor")
    private long repliesBefore = -1;

    @GuardedBy("monitor")
    private long silentSinceNanos;

    /**
     * A connection that is opened by its first command.
     *
     * @param rejection returns why a server is not usable; null if it is
     * @param onTrouble runs when the server cannot be reached, the connection breaks or the server falls silent
     */
    public NodeConnection(
            Connector connector,
            Handshake handshake,
            Function<HelloReply, @Nullable RuntimeException> rejection,
            Runnable onTrouble) {
        this(connector, handshake, rejection, onTrouble, System::nanoTime);
    }

    NodeConnection(
            Connector connector,
            Handshake handshake,
            Function<HelloReply, @Nullable RuntimeException> rejection,
            Runnable onTrouble,
            LongSupplier nanoTime) {
        this.connector = connector;
        this.handshake = handshake;
        this.rejection = rejection;
        this.onTrouble = onTrouble;
        this.nanoTime = nanoTime;
    }

    /** The connector that opens this connection. */
    public Connector connector() {
        return connector;
    }

    @Override
    public @Nullable Host address() {
        return address;
    }

    /**
     * Whether a command is written at once. A server that has fallen silent gets no time to connect beside that of the
     * command.
     */
    public boolean isConnected() {
        if (live != null) {
            return true;
        }
        synchronized (monitor) {
            return state != IDLE && state != CONNECTING;
        }
    }

    ConnectionState state() {
        synchronized (monitor) {
            return state;
        }
    }

    @Override
    public void send(Command<?> command) {
        command.sentTo(this);
        RedisChannelHandler<?, ?> open = live;
        // Lettuce closes a broken connection before it fails the commands in flight: a caller that retries at once
        // sees here that it is closed.
        if (open != null && open.isOpen()) {
            write(open, command);
        } else {
            sendWhenConnected(command);
        }
    }

    /** Sends a command to a server that does not own the slot yet, as another server has requested with {@code ASK}. */
    public void sendAsking(Command<?> command) {
        command.sentTo(this);
        command.countExtraCommand();
        send(new AskingCommand(command));
    }

    /** Two threads that call this at the same moment may both load the script, which does no harm. */
    @Override
    public PlainCommand load(Script script) {
        PlainCommand underWay = loading.get(script);
        if (underWay != null && underWay.connection() == live) {
            return underWay;
        }
        PlainCommand load = new PlainCommand(CommandType.SCRIPT, "LOAD", script.text());
        loading.put(script, load);
        var unused = load.whenComplete((reply, failure) -> loading.remove(script, load));
        send(load);
        return load;
    }

    @Override
    public void disconnect() {
        RedisChannelHandler<?, ?> ended;
        boolean reconnect = false;
        synchronized (monitor) {
            disconnects++;
            ended = current;
            switch (state) {
                case OPEN -> move(IDLE);
                case VERIFYING -> {
                    move(PROBING);
                    reconnect = true;
                }
                case FLUSHING -> {
                    move(CONNECTING);
                    reconnect = true;
                }
                // A connection that is being opened is closed when it is open: see opened().
                case IDLE, SUSPECT, CONNECTING, PROBING, CLOSED -> {}
            }
        }
        if (ended != null) {
            close(ended);
        }
        if (reconnect) {
            connectAfter(FIRST_PAUSE);
        }
    }

    @Override
    public void replyReceived() {
        replies++;
    }

    /**
     * Notices a peer that has vanished without closing the connection, for example behind a firewall that has dropped
     * its entry: TCP itself takes a quarter of an hour for that. The connection is closed if callers have given up for
     * a while and no reply has come in between.
     */
    @Override
    public void callerGaveUp() {
        RedisChannelHandler<?, ?> silent = null;
        long now = nanoTime.getAsLong();
        synchronized (monitor) {
            if (replies != repliesBefore) {
                repliesBefore = replies;
                silentSinceNanos = now;
            } else if (now - silentSinceNanos >= SILENCE.toNanos()) {
                repliesBefore = -1;
                silent = current;
                switch (state) {
                    case OPEN, IDLE -> move(SUSPECT);
                    case CONNECTING -> move(PROBING);
                    // These have a connection that is new, or that is verified anyway.
                    case FLUSHING, VERIFYING, SUSPECT, PROBING, CLOSED -> silent = null;
                }
            }
        }
        if (silent != null) {
            close(silent);
            onTrouble.run();
        }
    }

    /** Closes the connection for good. Commands that wait, and later ones, fail. */
    public void close() {
        RedisChannelHandler<?, ?> ended;
        List<Command<?>> refused;
        synchronized (monitor) {
            if (state == CLOSED) {
                return;
            }
            ended = current;
            refused = takeWaiting();
            move(CLOSED);
        }
        if (ended != null) {
            connector.closeFinally(ended);
        }
        fail(refused, Failures.closed());
    }

    private void sendWhenConnected(Command<?> command) {
        RedisChannelHandler<?, ?> open = null;
        boolean refused = false;
        Duration delay = null;
        synchronized (monitor) {
            if (state == OPEN && current != null && !current.isOpen()) {
                // Broken, and the event has not come yet.
                moveBroken();
            }
            switch (state) {
                case OPEN -> open = current;
                case CLOSED -> refused = true;
                case IDLE, SUSPECT -> {
                    waiting.add(command);
                    move(state == IDLE ? CONNECTING : PROBING);
                    delay = pause;
                }
                case CONNECTING, PROBING, VERIFYING, FLUSHING -> waiting.add(command);
            }
        }
        if (open != null) {
            write(open, command);
        } else if (refused) {
            command.completeExceptionally(Failures.closed());
        } else if (delay != null) {
            connectAfter(delay);
        }
    }

    /** The pause after a failure keeps callers that retry at once from becoming a storm of connections. */
    private void connectAfter(Duration delay) {
        try {
            if (delay.isZero()) {
                connect();
            } else {
                connector.schedule(this::connect, delay);
            }
        } catch (RuntimeException e) {
            attemptFailed(null, e);
        }
    }

    private void connect() {
        long begun;
        synchronized (monitor) {
            if (state == CLOSED) {
                // The pause ended after that: the client's loops may have ended, too.
                return;
            }
            begun = disconnects;
        }
        try {
            var unused = connector.connect().whenComplete((opened, failure) -> {
                if (failure != null) {
                    attemptFailed(null, Failures.connecting(failure, connector.description()));
                } else {
                    opened(opened, begun);
                }
            });
        } catch (RuntimeException e) {
            attemptFailed(null, e);
        }
    }

    /**
     * Ends an attempt to connect.
     *
     * @param verified the connection that was being verified; null if none could be opened
     * @return false if another event has decided about that connection already
     */
    private boolean attemptFailed(@Nullable RedisChannelHandler<?, ?> verified, RuntimeException failure) {
        List<Command<?>> failed;
        synchronized (monitor) {
            if (current != verified) {
                return false;
            }
            if (state != CLOSED) {
                move(state == CONNECTING ? IDLE : SUSPECT);
            }
            Duration doubled = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
            pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
            failed = takeWaiting();
        }
        fail(failed, failure);
        onTrouble.run();
        return true;
    }

    /** @param begun how often {@link #disconnect()} had been called when this connection was begun */
    private void opened(OpenedConnection opened, long begun) {
        address = opened.address();
        // Every connection that Lettuce opens is one.
        RedisChannelHandler<?, ?> handler = (RedisChannelHandler<?, ?>) opened.connection();
        Connections.onDisconnect(opened.connection(), () -> {
            broken(handler);
            onTrouble.run();
        });
        boolean closed;
        boolean outdated;
        boolean verify;
        List<Command<?>> first = List.of();
        synchronized (monitor) {
            closed = state == CLOSED;
            // disconnect() was called meanwhile: the connection may lead to a server that is no longer the master.
            outdated = disconnects != begun;
            verify = state == PROBING;
            if (!closed && !outdated) {
                current = handler;
                move(verify ? VERIFYING : FLUSHING);
                first = verify ? first : takeWaiting();
            }
        }
        if (closed || outdated) {
            close(handler);
            if (!closed) {
                connectAfter(FIRST_PAUSE);
            }
        } else if (verify) {
            verify(handler, opened.address());
        } else {
            writeFirst(handler, first);
        }
    }

    /** Writes the handshake and, without waiting for its reply, the commands that have waited. */
    private void writeFirst(RedisChannelHandler<?, ?> handler, List<Command<?>> first) {
        var unused = handshake.start(connector.description(), handler.getChannelWriter()::write, rejection, failure -> {
            if (failure != null) {
                rejected(handler, failure, first);
            } else if (handler.isOpen()) {
                replied(handler);
            } else {
                broken(handler);
            }
        });
        first.forEach(command -> write(handler, command));
        flush(handler);
    }

    /** Writes the handshake alone. Without a reply, this was one more attempt to connect that failed. */
    private void verify(RedisChannelHandler<?, ?> handler, @Nullable Host used) {
        PlainCommand hello =
                handshake.start(connector.description(), handler.getChannelWriter()::write, rejection, failure -> {
                    if (failure == null && handler.isOpen()) {
                        verified(handler);
                    } else {
                        unverified(handler, used, failure != null ? failure : Failures.disconnected());
                    }
                });
        connector.schedule(() -> hello.cancel(false), SILENCE);
    }

    private void verified(RedisChannelHandler<?, ?> handler) {
        synchronized (monitor) {
            if (current != handler) {
                return;
            }
            move(FLUSHING);
            replied = true;
        }
        flush(handler);
    }

    private void unverified(RedisChannelHandler<?, ?> handler, @Nullable Host used, RuntimeException failure) {
        synchronized (monitor) {
            if (current != handler) {
                return;
            }
        }
        // Before the commands fail: one that is sent again goes to another seed.
        connector.skip(used);
        if (attemptFailed(handler, failure)) {
            close(handler);
        }
    }

    /** Writes the commands that wait, until none is left. Only then do callers see the connection and write to it. */
    private void flush(RedisChannelHandler<?, ?> handler) {
        List<Command<?>> batch;
        do {
            synchronized (monitor) {
                if (current != handler) {
                    return;
                }
                batch = takeWaiting();
                if (batch.isEmpty()) {
                    pause = Duration.ZERO;
                    move(OPEN);
                }
            }
            batch.forEach(command -> write(handler, command));
        } while (!batch.isEmpty());
        if (!handler.isOpen()) {
            // The event may have come before the listener was there.
            broken(handler);
        }
    }

    /** The server has told in the handshake that it is not usable. */
    private void rejected(RedisChannelHandler<?, ?> handler, RuntimeException failure, List<Command<?>> first) {
        List<Command<?>> failed = List.of();
        synchronized (monitor) {
            pause = LONGEST_PAUSE;
            if (current == handler) {
                failed = takeWaiting();
                move(IDLE);
            }
        }
        fail(first, failure);
        fail(failed, failure);
        close(handler);
        onTrouble.run();
    }

    private void replied(RedisChannelHandler<?, ?> handler) {
        synchronized (monitor) {
            replied |= current == handler;
        }
    }

    /** While the connection is verified, the end of the handshake decides. */
    private void broken(RedisChannelHandler<?, ?> handler) {
        List<Command<?>> failed = List.of();
        synchronized (monitor) {
            if (current == handler && state != VERIFYING) {
                failed = takeWaiting();
                moveBroken();
            }
        }
        fail(failed, Failures.disconnected());
        close(handler);
    }

    /** Before the first reply: something accepts connections for a server that is not there. */
    @GuardedBy("monitor")
    private void moveBroken() {
        if (!replied) {
            pause = FIRST_PAUSE;
        }
        move(replied ? IDLE : SUSPECT);
    }

    /** Moves to a state that may follow the present one: the only place where the state changes. */
    @GuardedBy("monitor")
    private void move(ConnectionState to) {
        if (!state.next().contains(to)) {
            throw new IllegalStateException("A connection must not move between these states: from=" + state + ", to="
                    + to + ", server=" + connector.description());
        }
        state = to;
        switch (to) {
            case VERIFYING, FLUSHING -> live = null;
            case OPEN -> live = current;
            case IDLE, CONNECTING, SUSPECT, PROBING, CLOSED -> {
                current = null;
                live = null;
                replied = false;
            }
        }
    }

    @GuardedBy("monitor")
    private List<Command<?>> takeWaiting() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Command<?>> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    private static void fail(List<Command<?>> commands, RuntimeException failure) {
        commands.forEach(command -> command.completeExceptionally(failure));
    }

    private static void write(RedisChannelHandler<?, ?> on, Command<?> command) {
        if (command.writtenTo(on)) {
            on.getChannelWriter().write(command);
        }
    }

    private static void close(RedisChannelHandler<?, ?> ended) {
        if (!ended.isClosed()) {
            var unused = ended.closeAsync();
        }
    }
}
