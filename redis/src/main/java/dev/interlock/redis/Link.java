package dev.interlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connection that commands go through. It is opened by the first command, which waits for it together with those that come meanwhile; if that fails,
 * they fail, and the next command tries again. A connection that breaks is dropped with all that was in flight, and never brought back to life: what was
 * sent on it has an unknown outcome, and nothing is sent twice.
 */
final class Link {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(320);

    private final Connector connector;
    private final FirstUse firstUse;
    private final Object monitor = new Object();

    /** Written under the monitor; null if there is no connection. Commands read it without. */
    private volatile @Nullable RedisChannelWriter writer;

    // Guarded by the monitor, under which nothing is sent and nothing completed.
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private List<Call<?>> pending = new ArrayList<>();
    private boolean connecting;
    private boolean closed;
    private Duration pause = Duration.ZERO;

    Link(Connector connector, FirstUse firstUse) {
        this.connector = connector;
        this.firstUse = firstUse;
    }

    /** Sends it now, or as soon as there is a connection. The call hears what becomes of it. */
    void send(Call<?> call) {
        RedisChannelWriter open = writer;
        if (open != null) {
            open.write(call);
        } else {
            sendWhenConnected(call);
        }
    }

    void close() {
        StatefulRedisConnection<byte[], byte[]> ended;
        synchronized (monitor) {
            closed = true;
            writer = null;
            ended = connection;
            connection = null;
        }
        if (ended != null) {
            connector.closeFinally(ended);
        }
        fail(Failures.closed());
    }

    private void sendWhenConnected(Call<?> call) {
        RedisChannelWriter open;
        boolean refused;
        Duration delay = null;
        synchronized (monitor) {
            open = writer;
            refused = closed;
            if (open == null && !refused) {
                pending.add(call);
                if (!connecting) {
                    connecting = true;
                    delay = pause;
                }
            }
        }
        if (open != null) {
            open.write(call);
        } else if (refused) {
            call.completeExceptionally(Failures.closed());
        } else if (delay != null) {
            connectAfter(delay);
        }
    }

    /** After a failure the next attempt waits a little, so that callers who try again at once do not become a storm of connections. */
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
        try {
            var unused = connector.connect().whenComplete((opened, failure) -> {
                if (failure != null) {
                    failed(Failures.connecting(failure, connector.where()));
                } else {
                    opened(opened);
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

    private void opened(StatefulRedisConnection<byte[], byte[]> opened) {
        opened.addListener(new Breaks(() -> drop(opened)));
        // Every connection that Lettuce opens is one.
        RedisChannelWriter open = ((RedisChannelHandler<?, ?>) opened).getChannelWriter();
        List<Call<?>> first = take();
        firstUse.check(open::write, failure -> {
            first.forEach(call -> call.completeExceptionally(failure));
            synchronized (monitor) {
                pause = LONGEST_PAUSE;
            }
            drop(opened);
        });
        first.forEach(open::write);
        publish(opened, open);
        if (!opened.isOpen()) {
            // It broke before the listener was there.
            drop(opened);
        }
    }

    /** Those who came while the connection was being opened go first: others see the writer only when nobody is left. */
    private void publish(StatefulRedisConnection<byte[], byte[]> opened, RedisChannelWriter open) {
        List<Call<?>> waiting = List.of();
        do {
            waiting.forEach(open::write);
            synchronized (monitor) {
                waiting = pending;
                pending = new ArrayList<>();
                if (waiting.isEmpty()) {
                    connecting = false;
                    if (!closed) {
                        pause = Duration.ZERO;
                        connection = opened;
                        writer = open;
                        return;
                    }
                }
            }
        } while (!waiting.isEmpty());
        var unused = opened.closeAsync();
    }

    private void drop(StatefulRedisConnection<byte[], byte[]> broken) {
        synchronized (monitor) {
            if (connection == broken) {
                connection = null;
                writer = null;
            }
        }
        if (broken instanceof RedisChannelHandler<?, ?> handler && !handler.isClosed()) {
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
