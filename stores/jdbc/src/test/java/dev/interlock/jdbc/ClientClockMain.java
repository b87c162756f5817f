package dev.interlock.jdbc;

import dev.interlock.testkit.process.ChildMain;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A naive lock, not for use: {@code <URL>}. A row has the moment at which the lock ends, by the clock of the client.
 */
final class ClientClockMain {

    static final Duration LEASE = Duration.ofMinutes(1);

    private ClientClockMain() {}

    public static void main(String[] arguments) throws SQLException, InterruptedException {
        ChildMain parent = new ChildMain();
        try (Connection connection = DriverManager.getConnection(arguments[0]);
                PreparedStatement take =
                        connection.prepareStatement("UPDATE by_hand SET ends = ? WHERE name = 'one' AND ends < ?")) {
            parent.say("asking");
            while (!isTaken(take)) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            parent.say("held");
            parent.hearOrDie();
        }
    }

    private static boolean isTaken(PreparedStatement take) throws SQLException {
        long now = System.currentTimeMillis();
        take.setLong(1, now + LEASE.toMillis());
        take.setLong(2, now);
        return take.executeUpdate() == 1;
    }
}
