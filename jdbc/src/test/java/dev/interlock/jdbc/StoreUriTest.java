package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The URIs of the store, the well-formed and the others. */
class StoreUriTest {

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:/var/lib/locks.db, /var/lib/locks.db",
        "sqlite:/var/lib/locks.db, /var/lib/locks.db",
        "JDBC:SQLite:/var/lib/locks.db, /var/lib/locks.db",
        "sqlite:///var/lib/locks.db, /var/lib/locks.db",
        "sqlite:locks.db, locks.db",
        "sqlite:/a b/c+d#e.db, /a b/c+d#e.db",
        "sqlite:/a%20b/c%3Fd%25e.db, /a b/c?d%e.db",
    })
    void path_isWhatTheUriSays(String uri, String path) {
        assertThat(StoreUri.parse(uri)).isEqualTo(new StoreUri(Path.of(path), "interlock"));
    }

    @Test
    void prefix_isTheOneParameter() {
        assertThat(StoreUri.parse("sqlite:/x.db?prefix=app_7").prefix()).isEqualTo("app_7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sqlite:/x.db?journal_mode=WAL | 'journal_mode'",
                "sqlite:/x.db?prefix=a&mode=ro | 'mode'",
                "sqlite:/x.db?prefix=a& | ''",
                "sqlite:/x.db?prefix | 'prefix'",
                "sqlite:/x.db? | ''",
                "sqlite:/x.db?prefix=a%20b | 'a b'",
                "sqlite:/x.db?prefix=a;drop | 'a;drop'",
                "sqlite: | must name a file",
                "sqlite::memory: | ':memory:'",
                "sqlite:file:/x.db | 'file:/x.db'",
                "sqlite://host/x.db | '//host/x.db'",
                "sqlite:/x%2.db | %25 for itself",
                "sqlite:/x%zz.db | %25 for itself",
                "sqlite:/x%00.db | valid path",
                "jdbc:oracle:thin:u/secret@h/d | 'jdbc:oracle:'",
                "jdbc:postgresql://u:secret%2@h/d | %25 for itself",
                "jdbc:postgresql://h/d?password=secret&prefix=a-b | 'a-b'",
                "jdbc:x | begins with ''",
                "jdbc: | begins with ''",
            })
    void error_namesTheRuleAndThePart(String uri, String said) {
        assertThatThrownBy(() -> new JdbcStoreProvider().create(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said)
                .message()
                .doesNotContain("secret", "\n");
    }
}
