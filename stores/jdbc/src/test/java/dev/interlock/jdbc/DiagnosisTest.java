package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.support.Diagnosable;
import dev.interlock.support.Finding;
import dev.interlock.support.Finding.Verdict;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.MariaDbServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store says of databases; of PostgreSQL, the test of the command shows it. */
class DiagnosisTest {

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void h2InMemory_isForTests() {
        assertThat(verdicts("jdbc:h2:mem:diagnosis"))
                .containsEntry("server", Verdict.GOOD)
                .containsEntry("topology", Verdict.WARNING);
    }

    @Test
    void sqlite_isInOrder() {
        assertThat(verdicts("sqlite:" + directory.resolve("locks.db")))
                .containsEntry("server", Verdict.GOOD)
                .containsEntry("file", Verdict.GOOD)
                .containsEntry("content", Verdict.GOOD)
                .containsEntry("wakes", Verdict.GOOD);
    }

    /** The path of a socket has at most 106 bytes, and who cannot open one polls. */
    @Test
    void sqliteFileWithALongPath_hasNoWakes() {
        String name = "x".repeat(90 - directory.toString().length());

        assertThat(verdicts("sqlite:" + directory.resolve(name))).containsEntry("wakes", Verdict.GOOD);
        assertThat(verdicts("sqlite:" + directory.resolve(name + "x"))).containsEntry("wakes", Verdict.WARNING);
    }

    @Tag("long")
    @Test
    void mariaDb_saysWhatACrashForgets_andWhichTablesAreWrong() {
        MariaDbServer server = MariaDbServer.shared();
        String database = server.createDatabase();
        server.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
        try {
            assertThat(verdicts(server.url(database)))
                    .containsEntry("server", Verdict.GOOD)
                    .containsEntry("tables", Verdict.GOOD)
                    .containsEntry("persistence", Verdict.WARNING)
                    .containsEntry("failover", Verdict.NOTE)
                    .containsEntry("encryption", Verdict.NOTE);
            server.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            server.execute("ALTER TABLE " + database + ".interlock_fence ENGINE=MyISAM");

            assertThat(verdicts(server.url(database)))
                    .containsEntry("tables", Verdict.BAD)
                    .containsEntry("persistence", Verdict.GOOD);
        } finally {
            server.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
        }
    }

    private static Map<String, Verdict> verdicts(String uri) {
        try (var store = new JdbcStoreProvider().create(uri)) {
            Diagnosable diagnosable = (Diagnosable) store;
            long before = System.currentTimeMillis();
            assertThat(diagnosable.readClock().orElseThrow())
                    .isBetween(before - 1, before + Patience.limit().toMillis());
            return diagnosable.diagnose().stream().collect(Collectors.toMap(Finding::check, Finding::verdict));
        }
    }
}
