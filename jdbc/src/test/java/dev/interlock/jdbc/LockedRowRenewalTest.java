package dev.interlock.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A row that a stranger keeps locked costs its claim a renewal, and no other claim that is renewed with it. */
class LockedRowRenewalTest {

    @TempDir
    private Path directory = Path.of(".");

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void theOtherLocks_areRenewed(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(JdbcStore.at(ServerUri.parse(url)));
                Connection stranger = DriverManager.getConnection(url)) {
            // More than go in one transaction, and the locked one among the first.
            List<Claim> others = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                others.add(client.hold("b" + i));
            }
            Claim locked = client.hold("a");
            Claim gone = client.hold("c");
            assertThat(client.release(gone)).isTrue();
            List<Claim> all = new ArrayList<>(others);
            all.add(locked);
            all.add(gone);
            keep(stranger, "lock", locked);

            // The second time it is known, and the third time it is waited for again.
            for (int i = 0; i < 3; i++) {
                assertThat(client.renew(all))
                        .doesNotContainKey(locked)
                        .hasSize(121)
                        .containsEntry(gone, Renewal.DELETED)
                        .containsEntry(others.get(0), Renewal.HELD)
                        .containsEntry(others.get(119), Renewal.HELD);
            }

            stranger.rollback();
            assertThat(client.renew(all)).hasSize(122).containsEntry(locked, Renewal.HELD);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "H2"})
    void theOtherShares_areRenewed(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (Client client = new Client(JdbcStore.at(ServerUri.parse(url)));
                Connection stranger = DriverManager.getConnection(url)) {
            Claim locked = share(client);
            Claim other = share(client);
            Claim lock = client.hold("x");
            keep(stranger, "claim", locked);

            assertThat(client.renew(List.of(lock, locked, other))).containsOnlyKeys(lock, other);

            stranger.rollback();
            assertThat(client.renew(List.of(lock, locked, other)).values())
                    .containsOnly(Renewal.HELD)
                    .hasSize(3);
        }
    }

    private static Claim share(Client client) {
        Claim claim = client.claim(new LockId("shared", LockKind.READ_WRITE)).inMode(new Mode.Shared());
        client.granted(claim);
        return claim;
    }

    private static void keep(Connection stranger, String table, Claim claim) throws SQLException {
        stranger.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        stranger.setAutoCommit(false);
        // By its key: elsewhere than on PostgreSQL, what is only looked at might stay locked, too.
        try (PreparedStatement select = stranger.prepareStatement(
                "SELECT 1 FROM interlock_" + table + " WHERE name = ? AND kind = ? AND owner = ? FOR UPDATE")) {
            select.setBytes(1, claim.id().name().getBytes(UTF_8));
            select.setString(2, claim.id().kind().name());
            select.setString(3, claim.owner().value());
            try (ResultSet row = select.executeQuery()) {
                assertThat(row.next()).isTrue();
            }
        }
    }
}
