package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In an SQLite file no column has a length: a row of tens of megabytes is the trouble of its name alone. */
class HugeRowsTest extends FileTest {

    private static final int LONGEST = 600;

    private static final String HUGE = "replace(hex(zeroblob(10000000)), '0', 'x')";

    private static final LockId READ_WRITE = new LockId("huge", LockKind.READ_WRITE);

    @ParameterizedTest
    @ValueSource(strings = {"host", "application", "thread", "owner", "mode", "kind", "name"})
    void hugeHolder_isTheTroubleOfItsNameAlone(String column) {
        try (Client client = new Client(file)) {
            client.hold("huge");
            Claim known = client.hold("known");
            rows.execute("UPDATE interlock_lock SET " + column + " = " + HUGE + " WHERE name = 'huge'");

            assertOthersWork(client, known);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "application", "thread", "owner", "mode", "state", "channel", "kind", "name"})
    void hugeClaim_isTheTroubleOfItsNameAlone(String column) {
        try (Client client = new Client(file)) {
            client.granted(client.claim(READ_WRITE).inMode(Mode.shared()));
            Claim known = client.hold("known");
            rows.execute("UPDATE interlock_claim SET " + column + " = " + HUGE + " WHERE name = 'huge'");

            assertOthersWork(client, known);
        }
    }

    private static void assertOthersWork(Client client, Claim known) {
        List<LockStatus> listed = Client.answer(((LockCatalog) client.store()).list("", 10));

        assertThat(listed).extracting(LockStatus::name).contains("known");
        assertThat(listed).flatExtracting(LockStatus::holders).allSatisfy(holder -> assertThat(
                        holder.owner() + holder.party())
                .hasSizeLessThan(5 * LONGEST));
        assertThat(client.renew(known)).isEqualTo(Renewal.HELD);
        assertThat(client.release(known)).isTrue();
    }
}
