package dev.interlock.jdbc;

import dev.interlock.spi.Wake;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread that listens on a connection of its own, from {@link #begin} to {@link #end} or until the connection breaks. */
final class Listener {

    /** How long after one that ended the next may begin. */
    static final Duration PAUSE = Duration.ofSeconds(5);

    /** How long after its begin it is counted on to listen soon: a connection takes some milliseconds. */
    private static final long SOON_NANOS = Duration.ofMillis(500).toNanos();

    private static final System.Logger LOG = System.getLogger(Listener.class.getName());

    private final ConnectionSource connections;
    private final String prefix;
    private final Consumer<Wake> hearer;
    private final String channel = "interlock_" + UUID.randomUUID().toString().replace("-", "");
    private final long begunNanos = System.nanoTime();
    private final Thread thread;
    private volatile boolean listening;
    private volatile boolean ended;

    Listener(ConnectionSource connections, String prefix, Consumer<Wake> hearer) {
        this.connections = connections;
        this.prefix = prefix;
        this.hearer = hearer;
        this.thread = new Thread(this::run, "interlock-jdbc-wakes");
        thread.setDaemon(true);
    }

    String channel() {
        return channel;
    }

    /** Whether it listens, or is to be counted on to do so soon. */
    boolean isOn() {
        return listening || (thread.isAlive() && System.nanoTime() - begunNanos < SOON_NANOS);
    }

    boolean isListening() {
        return listening;
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    void begin() {
        thread.start();
    }

    /** Also while it waits for a connection: a pool ends such a wait when interrupted. */
    void end() {
        ended = true;
        listening = false;
        thread.interrupt();
    }

    private void run() {
        Connection connection = null;
        try {
            connection = connections.open();
            listen(connection);
        } catch (SQLException | RuntimeException e) {
            if (!ended) {
                LOG.log(System.Logger.Level.DEBUG, "Listening ended: claims poll until it begins again", e);
            }
        } finally {
            listening = false;
            giveBack(connection);
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (PostgresNotices notices = new PostgresNotices(connection)) {
            notices.listen(channel);
            listening = !ended;
            notices.missed(prefix, channel).forEach(hearer);
            while (!ended) {
                for (String text : notices.next()) {
                    WakeText.parse(text).ifPresent(hearer);
                }
            }
        }
    }

    private static void giveBack(@Nullable Connection connection) {
        if (connection != null) {
            // What would interrupt the wait for a connection is not meant for its end.
            boolean interrupted = Thread.interrupted();
            Session.closeQuietly(connection);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
