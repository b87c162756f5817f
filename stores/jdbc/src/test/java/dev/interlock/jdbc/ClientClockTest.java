package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.ClockAgent;
import dev.interlock.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The negative control of P10: a lock that trusts the clocks of its clients is held twice if they differ. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("long")
class ClientClockTest {

    private static final Duration START = Duration.ofMinutes(5);

    @Test
    void lockByTheClocksOfItsClients_isStolen() throws SQLException {
        String url = PostgresServer.shared().newDatabase();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE by_hand (name text PRIMARY KEY, ends bigint)");
            statement.execute("INSERT INTO by_hand VALUES ('one', 0)");
        }
        try (ChildJvm right = start(url, Duration.ZERO)) {
            right.await("held", START);
            try (ChildJvm alsoRight = start(url, Duration.ZERO);
                    ChildJvm ahead = start(url, Duration.ofMinutes(10))) {
                ahead.await("held", START);
                alsoRight.await("asking", START);
                assertThatThrownBy(() -> alsoRight.await("held", Duration.ofSeconds(1)))
                        .hasMessageContaining("was silent");
            }
        }
    }

    private static ChildJvm start(String url, Duration clock) {
        return ChildJvm.start(ClientClockMain.class, ClockAgent.options(clock), List.of(url));
    }
}
