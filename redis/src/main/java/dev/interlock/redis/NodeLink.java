package dev.interlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one server, or to the master of the moment. It is opened by the first command, which waits for it
 * together with those that come meanwhile; if that fails, they fail, and the next command tries again. A connection
 * that breaks is dropped with all that was in flight, and never brought back to life: what was sent on it has an
 * unknown outcome, and nothing is sent twice.
 *
 * <p>A server that cannot be reached or has fallen silent costs as much as one caller would, however many there are:
 * one attempt to connect at a time, with pauses; and after a silence the new connection has to show first that somebody
 * answers there. Until then commands wait, and go out on it when it has.
 */
final class NodeLink {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(320);

    /** After so long without any answer, while callers give up one after the other, a connection counts as dead. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final Connector connector;
    private final FirstUse firstUse;
    private final Function<Greeting, @Nullable RuntimeException> judge;
    private final Runnable onTrouble;
    private final Object monitor = new Object();
    private final Map<Script, PlainCall> loading = new ConcurrentHashMap<>();

    /** Written under the monitor; null if there is no connection. Commands read it without. */
    private volatile @Nullable RedisChannelHandler<?, ?> live;

    /**
     * Where the newest connection leads to; null if there has been none, or if that is not known. Written before
     * anything is sent on it.
     */
    private volatile @Nullable Address leadsTo;

    /** The question that decides about the newest connection that was opened in doubt; null if there has been none. */
    private volatile @Nullable PlainCall trial;

    /** How many answers have come. Written by the thread that reads, one at a time; others need not see the latest. */
    private long answers;

    // Guarded by the monitor, under which nothing is sent and nothing completed.
    private List<Call<?>> pending = new ArrayList<>();
    private boolean connecting;
    private boolean closed;
    private boolean doubtful;
    private Duration pause = Duration.ZERO;
    private long silentSinceNanos;
    private long answersBefore = -1;

    /** How often the connection was given up: one that was begun before the last time is not used. */
    private long rests;

    /**
     * @param judge says of a server what is wrong with it; null if nothing is
     * @param onTrouble hears when it cannot be reached, breaks or falls silent
     */
    NodeLink(
            Connector connector,
            FirstUse firstUse,
            Function<Greeting, @Nullable RuntimeException> judge,
            Runnable onTrouble) {
        this.connector = connector;
        this.firstUse = firstUse;
        this.judge = judge;
        this.onTrouble = onTrouble;
    }

    Connector connector() {
        return connector;
    }

    /**
     * Where the newest connection leads to, wherever the next one may lead; null if there has been none, or if that is
     * not known.
     */
    @Nullable
    Address leadsTo() {
        return leadsTo;
    }

    /** Sends it now, or as soon as there is a connection. The call hears what becomes of it. */
    void send(Call<?> call) {
        call.sentTo(this);
        RedisChannelHandler<?, ?> open = live;
        // A connection that breaks is closed first, and only then fails what was in flight: who tries again thereupon
        // does not meet it again.
        if (open != null && open.isOpen()) {
            write(open, call);
        } else {
            sendWhenConnected(call);
        }
    }

    /** Sends it although the server does not own its slot yet: another server has said that it asks here. */
    void sendAsking(Call<?> call) {
        call.sentTo(this);
        call.spent();
        send(new AskingCall(call));
    }

    /**
     * Tells the server this script, unless that is under way on this connection: thousands of calls may hear at once
     * that it does not know it. What is sent afterwards finds the script there. Two who come at the same moment may
     * both tell it, which does no harm.
     */
    PlainCall load(Script script) {
        PlainCall underWay = loading.get(script);
        if (underWay != null && underWay.connection() == live) {
            return underWay;
        }
        PlainCall load = new PlainCall(CommandType.SCRIPT, "LOAD", script.text());
        loading.put(script, load);
        var unused = load.whenComplete((reply, failure) -> loading.remove(script, load));
        send(load);
        return load;
    }

    /**
     * Gives up the connection, with what is in flight on it, and one that is being opened; the next call opens another.
     */
    void rest() {
        RedisChannelHandler<?, ?> ended;
        synchronized (monitor) {
            // Whoever publishes a connection either sees this, or has done so before, and it is dropped here.
            rests++;
            ended = live;
        }
        if (ended != null) {
            drop(ended);
        }
        PlainCall asked = trial;
        if (asked != null) {
            asked.cancel(false);
        }
    }

    /** An answer has come, whatever it is. */
    void answered() {
        answers++;
    }

    /**
     * A caller has given up. A peer that has vanished without a word, behind a firewall that has forgotten the
     * connection for example, is noticed by nobody else for a quarter of an hour: so the connection is dropped if
     * nothing has come on it since others gave up before, and that is long enough ago.
     */
    void gaveUp() {
        RedisChannelHandler<?, ?> silent = null;
        long now = System.nanoTime();
        synchronized (monitor) {
            if (answers != answersBefore) {
                answersBefore = answers;
                silentSinceNanos = now;
            } else if (now - silentSinceNanos >= SILENCE.toNanos()) {
                answersBefore = -1;
                silent = live;
                live = null;
                doubtful = true;
            }
        }
        if (silent != null) {
            drop(silent);
            onTrouble.run();
        }
    }

    void close() {
        RedisChannelHandler<?, ?> ended;
        synchronized (monitor) {
            closed = true;
            ended = live;
            live = null;
        }
        if (ended != null) {
            connector.closeFinally(ended);
        }
        fail(Failures.closed());
    }

    private void sendWhenConnected(Call<?> call) {
        RedisChannelHandler<?, ?> open;
        boolean refused;
        Duration delay = null;
        synchronized (monitor) {
            refused = closed;
            open = live != null && live.isOpen() ? live : null;
            if (open == null && !refused) {
                pending.add(call);
                if (!connecting) {
                    connecting = true;
                    live = null;
                    delay = pause;
                }
            }
        }
        if (open != null) {
            write(open, call);
        } else if (refused) {
            call.completeExceptionally(Failures.closed());
        } else if (delay != null) {
            connectAfter(delay);
        }
    }

    /**
     * After a failure the next attempt waits a little, so that callers who try again at once do not become a storm of
     * connections.
     */
    private void connectAfter(Duration delay) {
        try {
            if (delay.isZero()) {
                connect();
            } else {
                connector.schedule(this::connect, delay);
            }
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void connect() {
        long begun = rests();
        try {
            var unused = connector.connect().whenComplete((opened, failure) -> {
                if (failure != null) {
                    failed(Failures.connecting(failure, connector.where()));
                } else {
                    opened(opened, begun);
                }
            });
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void failed(RuntimeException failure) {
        synchronized (monitor) {
            connecting = false;
            Duration doubled = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
            pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
        }
        fail(failure);
        onTrouble.run();
    }

    private void fail(RuntimeException failure) {
        take().forEach(call -> call.completeExceptionally(failure));
    }

    private List<Call<?>> take() {
        synchronized (monitor) {
            List<Call<?>> taken = pending;
            pending = new ArrayList<>();
            return taken;
        }
    }

    private long rests() {
        synchronized (monitor) {
            return rests;
        }
    }

    /** It leads to where no connection should lead any more. Those who wait for one wait for the next. */
    private void connectAgain(RedisChannelHandler<?, ?> outdated) {
        drop(outdated);
        connectAfter(FIRST_PAUSE);
    }

    /** @param begun how often the connection had been given up when this one was begun */
    private void opened(Opened opened, long begun) {
        leadsTo = opened.to();
        // Every connection that Lettuce opens is one.
        RedisChannelHandler<?, ?> handler = (RedisChannelHandler<?, ?>) opened.connection();
        RedisChannelWriter writer = handler.getChannelWriter();
        opened.connection().addListener(new Breaks(() -> {
            drop(handler);
            onTrouble.run();
        }));
        if (rests() != begun) {
            connectAgain(handler);
            return;
        }
        if (isDoubtful()) {
            tryOut(handler, opened.to(), begun);
            return;
        }
        List<Call<?>> first = take();
        var unused = firstUse.check(connector.where(), writer::write, judge, failure -> {
            if (failure != null) {
                detach(handler, LONGEST_PAUSE);
                first.forEach(call -> call.completeExceptionally(failure));
                drop(handler);
                onTrouble.run();
            } else if (!handler.isOpen()) {
                doubt();
            }
        });
        first.forEach(call -> write(handler, call));
        publish(handler, begun);
        if (!handler.isOpen()) {
            // It broke before the listener was there.
            drop(handler);
            doubt();
        }
    }

    /** It broke before anything came: somebody accepts connections for a server that is not there. */
    private void doubt() {
        synchronized (monitor) {
            doubtful = true;
            pause = FIRST_PAUSE;
        }
    }

    private boolean isDoubtful() {
        synchronized (monitor) {
            return doubtful;
        }
    }

    /**
     * Nothing but the questions of every connection goes out before one of them has been answered; if none is, this was
     * one more failure to connect.
     */
    private void tryOut(RedisChannelHandler<?, ?> handler, @Nullable Address used, long begun) {
        PlainCall hello = firstUse.check(connector.where(), handler.getChannelWriter()::write, judge, failure -> {
            if (failure == null && handler.isOpen()) {
                publish(handler, begun);
            } else {
                connector.passOver(used);
                failed(failure != null ? failure : Failures.disconnected());
                drop(handler);
            }
        });
        trial = hello;
        connector.schedule(() -> hello.cancel(false), SILENCE);
    }

    /** Those who came while the connection was being opened go first: others see it only when nobody is left. */
    private void publish(RedisChannelHandler<?, ?> opened, long begun) {
        List<Call<?>> waiting = List.of();
        do {
            waiting.forEach(call -> write(opened, call));
            boolean outdated;
            synchronized (monitor) {
                outdated = rests != begun && !closed;
                if (!outdated) {
                    waiting = pending;
                    pending = new ArrayList<>();
                }
                if (!outdated && waiting.isEmpty()) {
                    connecting = false;
                    if (!closed) {
                        pause = Duration.ZERO;
                        doubtful = false;
                        live = opened;
                        return;
                    }
                }
            }
            if (outdated) {
                connectAgain(opened);
                return;
            }
        } while (!waiting.isEmpty());
        // The end of the client may have passed it over, as it came later.
        drop(opened);
    }

    private static void write(RedisChannelHandler<?, ?> on, Call<?> call) {
        call.writtenTo(on);
        on.getChannelWriter().write(call);
    }

    private void detach(RedisChannelHandler<?, ?> ended, Duration newPause) {
        synchronized (monitor) {
            pause = newPause;
            if (live == ended) {
                live = null;
            }
        }
    }

    private void drop(RedisChannelHandler<?, ?> broken) {
        synchronized (monitor) {
            if (live == broken) {
                live = null;
            }
        }
        if (!broken.isClosed()) {
            var unused = broken.closeAsync();
        }
    }

    /** Tells when a connection breaks. */
    record Breaks(Runnable action) implements RedisConnectionStateListener {
        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            action.run();
        }
    }
}
