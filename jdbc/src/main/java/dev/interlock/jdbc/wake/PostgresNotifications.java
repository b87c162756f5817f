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

/** The only place that knows PostgreSQL's driver by its classes: users of another database need not have it. */
public final class PostgresNotifications implements AutoCloseable {

    /** How long a look for notices lasts: so long the end of listening takes. No traffic comes of it. */
    private static final int LOOK_MS = 250;

    /** How long it may be silent before the connection is looked at. */
    private static final long SILENCE_NANOS = Duration.ofSeconds(30).toNanos();

    /** The claims that were notified on a channel, perhaps before anybody listened. A needless hint costs one read. */
    private static final String MISSED =
            "SELECT name, kind, owner FROM {p}_claim WHERE channel = ? AND state IN ('T', 'O')";

    private final Connection connection;
    private final PGConnection notices;
    private final ConnectionSettings restoration = new ConnectionSettings();
    private long heardNanos = System.nanoTime();

    public PostgresNotifications(Connection connection) throws SQLException {
        this.connection = connection;
        this.notices = connection.unwrap(PGConnection.class);
    }

    public void listen(String channel) throws SQLException {
        // Not for the looks, which have a limit of their own, but for the statements: a pool may hand out a connection
        // that leads nowhere.
        restoration.networkTimeout(connection, WaitLimits.NETWORK_MS);
        restoration.autoCommit(connection);
        restoration.add(() -> execute("UNLISTEN " + channel));
        execute("LISTEN " + channel);
    }

    /** The claims of this channel whose turn it may have become before it was listened to. */
    List<Wake> missed(String prefix, String channel) throws SQLException {
        List<Wake> wakes = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(MISSED.replace("{p}", prefix))) {
            statement.setString(1, channel);
            ResultSet row = statement.executeQuery();
            while (row.next()) {
                LockId id = new LockId(
                        new String(row.getBytes(1), StandardCharsets.UTF_8), LockKind.valueOf(row.getString(2)));
                wakes.add(new Wake(id, new OwnerId(row.getString(3))));
            }
        }
        return wakes;
    }

    /** Ends listening, and leaves the connection as it came; but does not close it. */
    @Override
    public void close() {
        restoration.run();
    }

    /** The texts that have come, or that come soon; none if none do. */
    List<String> next() throws SQLException {
        List<String> texts = new ArrayList<>();
        PGNotification[] come = notices.getNotifications(LOOK_MS);
        if (come != null) {
            for (PGNotification notice : come) {
                texts.add(notice.getParameter());
            }
        }
        if (!texts.isEmpty()) {
            heardNanos = System.nanoTime();
        } else if (System.nanoTime() - heardNanos > SILENCE_NANOS) {
            look();
        }
        return texts;
    }

    /** A connection that leads nowhere is as silent as one on which nobody speaks. */
    private void look() throws SQLException {
        if (!connection.isValid(2)) {
            throw new SQLException("The connection for notices is dead");
        }
        heardNanos = System.nanoTime();
    }

    /** The name of a channel is ours: letters, digits and an underscore. */
    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
