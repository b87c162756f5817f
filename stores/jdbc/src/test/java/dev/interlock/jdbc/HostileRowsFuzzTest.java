package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
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

    private static final LockId LATCH = new LockId("n", LockKind.LATCH);

    /** The statements of the connection from outside. */
    private final Map<String, PreparedStatement> statements = new HashMap<>();

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
        holder.executed(holder.command(LATCH, new Command.SetCount(2)));
    }

    private static void save(Connection outside) throws SQLException {
        try (Statement statement = outside.createStatement()) {
            statement.execute("CREATE TEMP TABLE kept_lock AS SELECT * FROM interlock_lock");
            statement.execute("CREATE TEMP TABLE kept_claim AS SELECT * FROM interlock_claim");
            statement.execute("PRAGMA busy_timeout = 60000");
            // Else each commit waits for the disk, which takes most of the time.
            statement.execute("PRAGMA synchronous = OFF");
        }
    }

    /**
     * Restores the rows and changes them. In one transaction: a commit costs more than a change.
     *
     * @return whether any row has changed: the database itself refuses some values
     */
    private boolean write(Connection outside, String input) throws SQLException {
        prepared(outside, "BEGIN IMMEDIATE").execute();
        for (String table : List.of("lock", "claim")) {
            prepared(outside, "DELETE FROM interlock_" + table).execute();
            prepared(outside, "INSERT INTO interlock_" + table + " SELECT * FROM kept_" + table)
                    .execute();
        }
        prepared(outside, "UPDATE interlock_fence SET last = 0").execute();
        boolean written = false;
        for (String line : input.split("\n", -1)) {
            String[] words = line.split(" ", 3);
            boolean isColumn = words.length == 3 && (TEXTS.contains(words[1]) || NUMBERS.contains(words[1]));
            if (isColumn && (words[0].equals("lock") || words[0].equals("claim"))) {
                written |= write(outside, words);
            }
        }
        prepared(outside, "COMMIT").execute();
        return written;
    }

    private boolean write(Connection outside, String[] words) {
        try {
            PreparedStatement update = prepared(outside, "UPDATE interlock_" + words[0] + " SET " + words[1] + " = ?");
            if (NUMBERS.contains(words[1])) {
                update.setLong(1, Long.parseLong(words[2]));
            } else {
                update.setString(1, words[2]);
            }
            return update.executeUpdate() > 0;
        } catch (SQLException | NumberFormatException e) {
            // Two rows with one key, a text in the place of a number, a column of the other table.
            return false;
        }
    }

    private PreparedStatement prepared(Connection outside, String sql) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known == null) {
            known = outside.prepareStatement(sql);
            statements.put(sql, known);
        }
        return known;
    }

    /**
     * All verbs of a client that has nothing to do with these rows. The store runs them in this order, so all are sent
     * at once. A renewal or a look is between two others, which would share a transaction otherwise.
     */
    private static void use(Client stranger) throws Exception {
        LockStore store = stranger.store();
        List<Answers> all = new ArrayList<>();
        for (Claim claim : List.of(
                stranger.claim("n"),
                claim(stranger, LockKind.SEMAPHORE, new Mode.Permits(1, 1)),
                claim(stranger, LockKind.READ_WRITE, Mode.shared()),
                claim(stranger, LockKind.LATCH, new Mode.AwaitZero()))) {
            all.add(new Answers(
                    claim,
                    store.inspect(claim.id()),
                    store.acquire(claim),
                    store.renew(List.of(claim)),
                    store.release(claim)));
        }
        CompletionStage<Boolean> counted = store.execute(stranger.command(LATCH, new Command.CountDown()));
        // The last one first: then there is nothing to wait for any more.
        Sane.answer(((LockCatalog) store).list("", 10));
        Sane.answer(counted);

        for (Answers answers : all) {
            LockStatus status = Sane.answer(answers.look);
            if (status != null) {
                Sane.check(status);
            }
            boolean isHeld = answers.claim.id().kind() == LockKind.LOCK && Sane.isHeld(status);
            boolean isGranted = Sane.answer(answers.attempt) instanceof Attempt.Granted;
            assertThat(isHeld && isGranted).as("granted beside a holder").isFalse();
            Sane.answer(answers.renewal);
            Sane.answer(answers.release);
        }
    }

    /** What a claim is answered, in this order. */
    private record Answers(
            Claim claim,
            CompletionStage<LockStatus> look,
            CompletionStage<Attempt> attempt,
            CompletionStage<?> renewal,
            CompletionStage<?> release) {}

    private static Claim claim(Client client, LockKind kind, Mode mode) {
        return Claim.of(new LockId("n", kind), mode, client.claim("n").owner(), Client.LONG_LEASE, client.party());
    }
}
