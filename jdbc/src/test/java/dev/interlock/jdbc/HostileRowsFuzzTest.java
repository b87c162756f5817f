package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.Sane;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Rows that anybody may have written who may write to the tables. Each input is a line for each value that is changed:
 * the table, the column, and the value.
 */
class HostileRowsFuzzTest extends FileTest {

    private static final List<String> NUMBERS = List.of(
            "held",
            "fence",
            "since_ms",
            "until_ms",
            "lease_ms",
            "listed_ms",
            "amount",
            "kept_ms",
            "pid",
            "permits",
            "arrival");

    private static final List<String> TEXTS =
            List.of("name", "kind", "owner", "mode", "state", "channel", "host", "application", "thread");

    @Test
    void rows() throws SQLException {
        try (Client holder = new Client(file);
                Client stranger = new Client(file);
                Connection outside = rows.connect()) {
            seed(holder);
            save(outside);
            Fuzz.of(
                            "SQLite rows",
                            "lock until_ms 1764122400000\nlock lease_ms 30000",
                            "claim permits 2\nclaim state W\nclaim mode F",
                            "lock kind SEMAPHORE\nlock amount 3\nclaim until_ms 9223372036854775807",
                            "claim owner x:1\nclaim channel interlock_x\nlock fence 9007199254740991\nlock held 0",
                            "lock name n\nclaim thread t\nlock mode X\nclaim since_ms 1")
                    .words("lock ", "claim ", "until_ms ", "fence ", "lease_ms ", "since_ms ", "state ", "\n", "LATCH")
                    .regressions("lock amount -1")
                    .inputs(250)
                    .longest(2_000)
                    .run(input -> {
                        restore(outside);
                        boolean accepted = write(outside, input);
                        use(stranger);
                        return accepted;
                    });
        }
    }

    private static void seed(Client holder) {
        holder.hold("n");
        holder.granted(claim(holder, LockKind.SEMAPHORE, new Mode.Permits(1, 2)));
        holder.granted(claim(holder, LockKind.READ_WRITE, Mode.shared()));
        holder.granted(claim(holder, LockKind.LATCH, new Mode.SetCount(2)));
    }

    private static void save(Connection outside) throws SQLException {
        execute(outside, "CREATE TEMP TABLE kept_lock AS SELECT * FROM interlock_lock");
        execute(outside, "CREATE TEMP TABLE kept_claim AS SELECT * FROM interlock_claim");
        execute(outside, "PRAGMA busy_timeout = 60000");
    }

    private static void restore(Connection outside) throws SQLException {
        execute(outside, "BEGIN IMMEDIATE");
        for (String table : List.of("lock", "claim")) {
            execute(outside, "DELETE FROM interlock_" + table);
            execute(outside, "INSERT INTO interlock_" + table + " SELECT * FROM kept_" + table);
        }
        execute(outside, "UPDATE interlock_fence SET last = 0");
        execute(outside, "COMMIT");
    }

    private static void execute(Connection outside, String sql) throws SQLException {
        try (Statement statement = outside.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Whether any row has changed: the database itself refuses some values. */
    private static boolean write(Connection outside, String input) {
        boolean written = false;
        for (String line : input.split("\n", -1)) {
            String[] words = line.split(" ", 3);
            boolean isColumn = words.length == 3 && (TEXTS.contains(words[1]) || NUMBERS.contains(words[1]));
            if (!isColumn || !(words[0].equals("lock") || words[0].equals("claim"))) {
                continue;
            }
            try (PreparedStatement update =
                    outside.prepareStatement("UPDATE interlock_" + words[0] + " SET " + words[1] + " = ?")) {
                if (NUMBERS.contains(words[1])) {
                    update.setLong(1, Long.parseLong(words[2]));
                } else {
                    update.setString(1, words[2]);
                }
                written |= update.executeUpdate() > 0;
            } catch (SQLException | NumberFormatException e) {
                // Two rows with one key, a text in the place of a number, a column of the other table.
            }
        }
        return written;
    }

    /** All verbs of a client that has nothing to do with these rows. */
    private static void use(Client stranger) throws Exception {
        LockStore store = stranger.store();
        boolean isHeld = false;
        for (LockKind kind : LockKind.values()) {
            LockStatus status = Sane.answer(store.inspect(new LockId("n", kind)));
            if (status != null) {
                Sane.check(status);
                isHeld |= kind == LockKind.LOCK && Sane.isHeld(status);
            }
        }
        Claim plain = stranger.claim("n");
        Attempt attempt = Sane.answer(store.acquire(plain));
        assertThat(isHeld && attempt instanceof Attempt.Granted)
                .as("granted beside a holder")
                .isFalse();
        Sane.answer(store.renew(List.of(plain)));
        Sane.answer(store.release(plain));
        for (Claim claim : List.of(
                claim(stranger, LockKind.SEMAPHORE, new Mode.Permits(1, 1)),
                claim(stranger, LockKind.READ_WRITE, Mode.shared()),
                claim(stranger, LockKind.LATCH, new Mode.CountDown()))) {
            Sane.answer(store.acquire(claim));
            Sane.answer(store.release(claim));
        }
        Sane.answer(((LockCatalog) store).list("", 10));
    }

    private static Claim claim(Client client, LockKind kind, Mode mode) {
        return Claim.of(new LockId("n", kind), mode, client.claim("n").owner(), Client.LONG_LEASE, client.party());
    }
}
