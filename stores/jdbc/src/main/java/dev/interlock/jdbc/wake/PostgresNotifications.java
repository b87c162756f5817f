package dev.interlock.jdbc.wake;

import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Listens for notifications by PostgreSQL's driver, which users of another database need not have. */
public final class PostgresNotifications implements AutoCloseable {

    /**
     * How long one poll for notifications lasts; so long it takes to stop listening. A poll sends nothing over the
     * network.
     */
    private static final int POLL_MS = 250;

    /** How long the connection may be silent before it is checked. */
    private static final long SILENCE_NANOS = Duration.ofSeconds(30).toNanos();

    /** The claims that were notified on a channel, perhaps before anybody listened. A needless wake costs one read. */
    private static final String MISSED =
            "SELECT name, kind, owner FROM {p}_claim WHERE channel = ? AND state IN ('T', 'O')";

    private final Connection connection;
    private final PGConnection notices;
    private final ConnectionSettings settings = new ConnectionSettings();
    private long receivedNanos = System.nanoTime();

    public PostgresNotifications(Connection connection) throws SQLException {
        this.connection = connection;
        this.notices = connection.unwrap(PGConnection.class);
    }

    public void listen(String channel) throws SQLException {
        // Polls have a limit of their own; this one is for the statements, because a pool may hand out a dead
        // connection.
        settings.setNetworkTimeout(connection, WaitLimits.NETWORK_MS);
        settings.enableAutoCommit(connection);
        // The last one is that of the claims that wait: whoever hears of its turn hears the rest, too.
        for (String each : List.of(WakeMessage.EVERYBODY, channel)) {
            settings.onRestore(() -> execute("UNLISTEN " + each));
            execute("LISTEN " + each);
        }
    }

    /** The claims of this channel that may have been notified before the client listened. */
    List<Wake> missed(String prefix, String channel) throws SQLException {
        List<Wake> wakes = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(MISSED.replace("{p}", prefix))) {
            statement.setString(1, channel);
            ResultSet row = statement.executeQuery();
            while (row.next()) {
                LockId id = new LockId(
                        new String(row.getBytes(1), StandardCharsets.UTF_8), LockKind.valueOf(row.getString(2)));
                wakes.add(new Wake.Changed(id, new OwnerId(row.getString(3))));
            }
        }
        return wakes;
    }

    /** Stops listening, and restores the connection; does not close it. */
    @Override
    public void close() {
        settings.restore();
    }

    /** The notifications that have arrived, or that arrive soon; may be empty. */
    List<String> poll() throws SQLException {
        List<String> texts = new ArrayList<>();
        PGNotification[] come = notices.getNotifications(POLL_MS);
        if (come != null) {
            for (PGNotification notice : come) {
                texts.add(notice.getParameter());
            }
        }
        if (!texts.isEmpty()) {
            receivedNanos = System.nanoTime();
        } else if (System.nanoTime() - receivedNanos > SILENCE_NANOS) {
            checkConnection();
        }
        return texts;
    }

    /** A dead connection is as silent as one without notifications. */
    private void checkConnection() throws SQLException {
        if (!connection.isValid(2)) {
            throw new SQLException("The connection for notices is dead");
        }
        receivedNanos = System.nanoTime();
    }

    /** The channel name is safe in SQL: letters, digits and an underscore. */
    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
