package dev.interlock.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.UriFuzz;
import org.junit.jupiter.api.Test;

class SqlUriFuzzTest {

    @Test
    void server() {
        UriFuzz.run(
                "SQL URI",
                SqlUriFuzzTest::parse,
                "jdbc:postgresql://user:s3cr3t@db:5432/orders?ssl=true&prefix=app",
                "jdbc:mariadb:replication://user:s3cr3t@h1:3306,h2/db;prefix=p",
                "jdbc:mysql://address=(host=h)(port=3306)(user=u)/db",
                "jdbc:mysql://[h1:3306,[::1]:3306,(host=::1,port=3306)]/db",
                "jdbc:h2:mem:a;USER=sa;DB_CLOSE_DELAY=-1",
                "jdbc:h2:tcp://sa:s3cr3t@h:9092/~/a");
    }

    @Test
    void whatFollowsJdbc_isQuoted_onlyIfItIsAWord() {
        assertThatThrownBy(() -> ServerUri.parse("jdbc:oracle:thin:@h")).hasMessageContaining("'jdbc:oracle:'");
        assertThatThrownBy(() -> ServerUri.parse("jdbc://s3cr3t:1/db"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("s3cr3t");
    }

    private static void parse(String uri) {
        ServerUri parsed = ServerUri.parse(uri);
        assertThat(parsed.prefix()).matches("[a-zA-Z][a-zA-Z0-9_]{0,31}");
        assertThat(parsed.toString()).isEqualTo(ServerIdentity.of(parsed.url()).toString());
    }

    @Test
    void file() {
        Fuzz.of(
                        "SQLite URI",
                        "jdbc:sqlite:/var/lib/locks.db",
                        "sqlite:/a b/c+d#e.db?prefix=app_7",
                        "sqlite:///a%20b/c%3Fd%25e.db")
                .words("?prefix=", "%", "file:", ":memory:", "//", "&", "jdbc:", "sqlite:")
                .run(input -> Fuzz.refusal(IllegalArgumentException.class, () -> {
                            SqliteUri parsed = SqliteUri.parse(input);
                            assertThat(parsed.prefix()).matches("[a-zA-Z][a-zA-Z0-9_]{0,31}");
                            assertThat(parsed.file().toString()).doesNotContain("\u0000");
                        })
                        == null);
    }

    /** The URL of a connection of the application. */
    @Test
    void url() {
        Fuzz.of("SQLite URL", "jdbc:sqlite:/var/lib/locks.db", "jdbc:sqlite:file:///a%20b.db?mode=ro", "JDBC:SQLite:x")
                .words("file:", "//localhost/", "?", "%", "#")
                .run(input -> SqliteUrl.path(input, "/var/lib/locks.db") != null);
    }
}
