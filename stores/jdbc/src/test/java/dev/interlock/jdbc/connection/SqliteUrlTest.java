package dev.interlock.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The path in the URL of an SQLite connection. */
class SqliteUrlTest {

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:/cur/locks.db, /cur/locks.db",
        "JDBC:SQLite:/cur/locks.db, /cur/locks.db",
        "jdbc:sqlite:/cur/locks.db?journal_mode=WAL, /cur/locks.db",
        "jdbc:sqlite:/cur/a b%20c+d#e.db, /cur/a b%20c+d#e.db",
        "jdbc:sqlite:file:/cur/locks.db?mode=rw#x, /cur/locks.db",
        "jdbc:sqlite:file:///cur/a%20b%3Fc+d.db, /cur/a b?c+d.db",
        "jdbc:sqlite:file://localhost/cur/locks.db, /cur/locks.db",
    })
    void path_isWhatTheDriverOpens(String url, String path) {
        assertThat(SqliteUrl.path(url, "/r1/locks.db")).isEqualTo(Path.of(path));
    }

    @Test
    void relativePath_isOfTheJvm() {
        assertThat(SqliteUrl.path("jdbc:sqlite:cur/locks.db", "/r1/locks.db"))
                .isEqualTo(Path.of("cur/locks.db").toAbsolutePath());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite:file:cur/locks.db",
                "jdbc:sqlite:file:/cur/100%.db",
                "jdbc:sqlite:file:/cur/%00.db",
                "jdbc:sqlite::resource:locks.db",
                "jdbc:spy:sqlite:/cur/locks.db",
            })
    void path_isNotKnown(String url) {
        assertThat(SqliteUrl.path(url, "/r1/locks.db")).isNull();
    }

    @Test
    void path_isUnknown_withoutAUrl_orWithWhatIsNoSetting() {
        assertThat(SqliteUrl.path("jdbc:sqlite:/cur/locks.db?x=1", "/r1/locks.db?x=1"))
                .isNull();
        assertThat(SqliteUrl.path(null, "/r1/locks.db")).isNull();
    }
}
