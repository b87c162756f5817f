package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.LockCatalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that this library never writes. */
class ForeignRowsTest extends FileTest {

    @ParameterizedTest
    @CsvSource({"LOCK, 0", "LOCK, 513", "NONE, 3"})
    void listing_leavesOutForeignRows(String kind, int length) {
        try (Client client = new Client(file)) {
            client.hold("known");
            client.hold("to be changed");
            rows.execute("UPDATE interlock_lock SET kind = '" + kind + "', name = '" + "x".repeat(length)
                    + "' WHERE name = 'to be changed'");

            assertThat(Client.answer(((LockCatalog) client.store()).list("", 10)))
                    .extracting(LockStatus::name)
                    .containsExactly("known");
        }
    }

    /** The columns have types, and what they may have besides is a holder. */
    @ParameterizedTest
    @CsvSource({"mode, by halves", "mode, ''", "owner, not one", "owner, ''"})
    void aDamagedRow_isNotCalledFree(String column, String value) {
        try (Client client = new Client(file);
                Interlock looking = Interlock.builder(JdbcStore.sqlite(file)).build()) {
            client.hold("damaged");
            rows.execute("UPDATE interlock_lock SET " + column + " = '" + value + "' WHERE name = 'damaged'");

            assertThat(looking.administration().inspect("damaged"))
                    .singleElement()
                    .matches(LockStatus::isLocked);
        }
    }
}
