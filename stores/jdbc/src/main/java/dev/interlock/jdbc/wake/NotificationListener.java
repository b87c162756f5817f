package dev.interlock.jdbc.wake;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.Resources;
import dev.interlock.spi.Log;
import dev.interlock.spi.Wake;
import dev.interlock.support.DaemonThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens for notifications of PostgreSQL, on a thread and a connection of its own.
 *
 * <p>{@code thread} alone uses the connection; {@code listening} and {@code ended} are volatile, and {@code ended}
 * never goes back.
 */
public final class NotificationListener implements WakeListener {

    /** How long after its start it is assumed to listen soon: opening a connection takes some milliseconds. */
    private static final long SOON_NANOS = Duration.ofMillis(500).toNanos();

    private final ConnectionSource connections;
    private final String prefix;
    private final Consumer<Wake> receiver;
    private final BooleanSupplier isNeeded;
    private final String channel = "interlock_" + UUID.randomUUID().toString().replace("-", "");
    private final long begunNanos = System.nanoTime();
    private final Thread thread;
    private volatile boolean listening;
    private volatile boolean ended;

    public NotificationListener(
            ConnectionSource connections, String prefix, Consumer<Wake> receiver, BooleanSupplier isNeeded) {
        this.connections = connections;
        this.prefix = prefix;
        this.receiver = receiver;
        this.isNeeded = isNeeded;
        this.thread = DaemonThreads.create("interlock-jdbc-wakes", this::run);
    }

    @Override
    public String channel() {
        return channel;
    }

    @Override
    public boolean isExpectedToListen() {
        return listening || (thread.isAlive() && System.nanoTime() - begunNanos < SOON_NANOS);
    }

    @Override
    public boolean isListening() {
        return listening;
    }

    @Override
    public boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void start() {
        thread.start();
    }

    /** Interrupts the thread also while it waits for a connection of a pool. */
    @Override
    public void stop() {
        ended = true;
        listening = false;
        thread.interrupt();
    }

    @Override
    public void awaitEnd(Duration limit) {
        try {
            if (!limit.isZero() && thread != Thread.currentThread()) {
                TimeUnit.NANOSECONDS.timedJoin(thread, limit.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Connection connection = null;
        try {
            connection = connections.open();
            listen(connection);
        } catch (SQLException | RuntimeException e) {
            if (!ended) {
                Log.of(NotificationListener.class)
                        .log(System.Logger.Level.DEBUG, "Listening ended: claims poll until it begins again", e);
            }
        } finally {
            listening = false;
            giveBack(connection);
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (PostgresNotifications notices = new PostgresNotifications(connection)) {
            notices.listen(channel);
            listening = !ended;
            notices.missed(prefix, channel).forEach(receiver);
            while (!ended && isNeeded.getAsBoolean()) {
                for (String text : notices.poll()) {
                    WakeMessage.parse(text).ifPresent(receiver);
                }
            }
        }
    }

    private static void giveBack(@Nullable Connection connection) {
        if (connection != null) {
            // The interrupt that ends the wait for a connection must not disturb the closing.
            boolean interrupted = Thread.interrupted();
            Resources.closeQuietly(connection);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
