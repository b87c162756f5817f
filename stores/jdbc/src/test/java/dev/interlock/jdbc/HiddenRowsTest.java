package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.LeastRights;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody hides rows from a user, or keeps them out of the tables: a holder that is not seen must not be overlooked.
 */
class HiddenRowsTest extends FileTest {

    private static final LockId NAME = new LockId("x", LockKind.READ_WRITE);

    /** With such a policy, a writer would see no reader and be let in beside it. */
    @ParameterizedTest
    @ValueSource(strings = {"lock", "claim"})
    void rowsThatAPolicyHides_areAnError_thatNamesThePolicy(String table) {
        LeastRights least = LeastRights.onPostgres();
        try (Client reader = new Client(least.url());
                Client writer = new Client(least.url())) {
            reader.granted(reader.claim(NAME).inMode(Mode.shared()));
            least.execute("ALTER TABLE interlock_" + table + " ENABLE ROW LEVEL SECURITY");
            least.execute("CREATE POLICY mine ON interlock_" + table + " USING (host = 'mine') WITH CHECK (true)");

            assertThat(Client.failure(writer.store().acquire(writer.claim(NAME).inMode(Mode.exclusive()))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith("Row-level security hides rows of the tables interlock_*")
                    .hasMessageContaining("interlock_" + table);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "SQLITE"})
    void claimThatATriggerKeepsAway_isNotGranted(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(url);
                Connection stranger = DriverManager.getConnection(url);
                Statement statement = stranger.createStatement()) {
            client.release(client.hold("y"));
            List<String> trigger = database == TestDatabase.SQLITE
                    ? List.of("CREATE TRIGGER away BEFORE INSERT ON interlock_claim BEGIN SELECT RAISE(IGNORE); END")
                    : List.of(
                            "CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                            "CREATE TRIGGER away BEFORE INSERT ON interlock_claim"
                                    + " FOR EACH ROW EXECUTE FUNCTION away()");
            for (String sql : trigger) {
                statement.execute(sql);
            }
            int before = names(statement);

            assertThat(Client.failure(client.store().acquire(client.claim(NAME).inMode(Mode.shared()))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("trigger");
            assertThat(names(statement)).as("nothing of it is committed").isEqualTo(before);
        }
    }

    private static int names(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM interlock_lock")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
