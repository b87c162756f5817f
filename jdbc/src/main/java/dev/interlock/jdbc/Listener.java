package dev.interlock.jdbc;

import dev.interlock.spi.Wake;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread that listens on a connection of its own, from {@link #begin} to {@link #end} or until the connection breaks. */
final class Listener {

    /** How long after one that ended the next may begin. */
    static final Duration PAUSE = Duration.ofSeconds(5);

    /** How long a claim that has to wait does so for the listener, once: a connection takes some milliseconds, and half an attempt is left. */
    static final Duration BEGINNING = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger(Listener.class.getName());

    private final ConnectionSource connections;
    private final Consumer<Wake> hearer;
    private final String channel = "interlock_" + UUID.randomUUID().toString().replace("-", "");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean listening;
    private volatile boolean ended;

    Listener(ConnectionSource connections, Consumer<Wake> hearer) {
        this.connections = connections;
        this.hearer = hearer;
        this.thread = new Thread(this::run, "interlock-jdbc-wakes");
        thread.setDaemon(true);
    }

    String channel() {
        return channel;
    }

    boolean isListening() {
        return listening;
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /** Begins, and returns when it listens, or cannot, or after that time. */
    void begin(Duration patience) {
        thread.start();
        try {
            if (!begun.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(System.Logger.Level.DEBUG, "No connection to listen on yet: claims poll until there is one");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
            begun.countDown();
            giveBack(connection);
        }
    }

    private void listen(Connection connection) throws SQLException {
        PostgresNotices notices = new PostgresNotices(connection);
        notices.listen(channel);
        listening = !ended;
        begun.countDown();
        while (!ended) {
            for (String text : notices.next()) {
                WakeText.parse(text).ifPresent(hearer);
            }
        }
        notices.unlisten(channel);
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
