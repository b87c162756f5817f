package dev.interlock.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.jdbc.JdbcStoreProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Well-formed and other URIs of the store. */
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
        assertThat(SqliteUri.parse(uri)).isEqualTo(new SqliteUri(Path.of(path), "interlock"));
    }

    @Test
    void prefix_isTheOneParameter() {
        assertThat(SqliteUri.parse("sqlite:/x.db?prefix=app_7").prefix()).isEqualTo("app_7");
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
                "jdbc:postgresql://app:se/secret@db:5432/orders | %2F for /",
                "jdbc:postgresql://app:se?secret@db:5432/orders | %2F for /",
                "jdbc:mariadb://app:se;secret@db:5432/orders | %2F for /",
                "jdbc:mysql://app:se@secret@db/orders | %2F for /",
                "jdbc:mysql://app:secret/@/x@db/orders?prefix=a | %2F for /",
                "jdbc:postgresql://app:secret?prefix=a-b@db/orders | %2F for /",
                "jdbc:h2:tcp://sa:se/secret@localhost/db | %2F for /",
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

    /** Not for the driver: that of PostgreSQL logs what it takes for a port. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://app:s3cret/db",
                "JDBC:PostgreSQL://app:s3cret/db",
                "jdbc:postgresql://app:s3cret",
                "jdbc:postgresql://app:s3cret?ssl=true",
                "jdbc:postgresql://app:s3cret,1/db",
                "jdbc:postgresql://app:12]s3cret/db",
                "jdbc:postgresql://app:(s3cret)/db",
                "jdbc:postgresql://app:[s3cret]/db",
                "jdbc:postgresql://app:se/s3cret/db",
                "jdbc:postgresql://app:0s3cret:5432/db",
                "jdbc:postgresql://h1:5432,app:s3cret/db",
                "jdbc:postgresql://u:p@h:s3cret/db",
                "jdbc:mariadb://app:s3cret/db",
                "jdbc:mariadb:replication://app:s3cret/db",
                "jdbc:mysql://app:s3cret/db",
                "jdbc:mysql://[app:s3cret]/db",
                "jdbc:h2:tcp://app:s3cret/db",
                "jdbc:h2:ssl://app:s3cret/db;USER=sa",
            })
    void passwordWithoutAHost_isRefused_andInNoMessage(String uri) {
        assertThatThrownBy(() -> Interlock.connect(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("after //user:password stands @host")
                .satisfies(failure -> {
                    StringWriter trace = new StringWriter();
                    failure.printStackTrace(new PrintWriter(trace));
                    assertThat(trace.toString()).doesNotContain("s3cret");
                });
        assertThat(ServerIdentity.of(uri).toString()).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "123456", "99999999999"})
    void portOutOfRange_isRefused_unquoted(String port) {
        assertThatThrownBy(() -> ServerUri.parse("jdbc:postgresql://app:" + port + "/db"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 1 to 65535;")
                .message()
                .doesNotContain("//app", port + "/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:db",
                "jdbc:postgresql:///db",
                "jdbc:postgresql://h/db",
                "jdbc:postgresql://h:65535/db",
                "jdbc:postgresql://h:/db",
                "jdbc:postgresql://:5432/db",
                "jdbc:postgresql://h1:5432,h2:5432/db?options=-c%20a=//x:y",
                "jdbc:postgresql://[::1]:5432,[fe80::1%eth0],h/db",
                "jdbc:mariadb:replication://h1:3306,h2/db",
                "jdbc:mariadb://address=(host=h)(port=3306)(type=primary),address=(host=::1)/db",
                "jdbc:mariadb://address=(host=h)(serverSslCert=C:/a/b)/db",
                "jdbc:mariadb://address=(host=h)(password=a:b/c)/db",
                "jdbc:mysql:loadbalance://h1:3306,h2:3306/db",
                "jdbc:mysql://[h1:3306,[::1]:3306,(host=::1,port=3306)]/db",
                "jdbc:h2:tcp://h:9092/~/a",
                "jdbc:h2:ssl://[::1]/mem:a",
                "jdbc:h2:file://a:b/c",
                "jdbc:h2:./a//b:c/d",
                "jdbc:h2:./a;INIT=RUNSCRIPT FROM 'http://h:x/a'",
            })
    void legalPlaces_stay(String url) {
        assertThat(ServerUri.parse(url).url()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%2Fb%3Fc%23d%3Be%40f+g", "a%2Fb%3Fc#d%3Be%40f+g"})
    void passwordOfAUri_isDecoded_andLeavesTheUrl(String password) {
        ServerUri uri = ServerUri.parse("jdbc:postgresql://app:" + password + "@db:5432/orders?ssl=true&prefix=p");

        assertThat(uri.url()).isEqualTo("jdbc:postgresql://db:5432/orders?ssl=true");
        assertThat(uri.settings()).containsEntry("user", "app").containsEntry("password", "a/b?c#d;e@f+g");
    }

    @Test
    void ampersandInAPassword_beginsNoSetting() {
        ServerUri uri = ServerUri.parse("jdbc:postgresql://app:a&prefix=b@db/orders?prefix=p");

        assertThat(uri.prefix()).isEqualTo("p");
        assertThat(uri.url()).isEqualTo("jdbc:postgresql://db/orders");
        assertThat(uri.settings()).containsEntry("password", "a&prefix=b");
    }

    /** An at sign further back does not end a password. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/orders?user=a@b&password=c@d",
                "jdbc:mariadb://db:3306/orders?user=a%40b&password=/x@y",
                "jdbc:h2:mem:;USER=a@b",
                "jdbc:h2:./data/a@b",
                "jdbc:h2:tcp://localhost:9092/~/a@b",
                "jdbc:postgresql://[::1]:5432,db:5433/orders?user=a@b",
                "jdbc:mariadb://db?user=a@b&password=c",
                "jdbc:postgresql:orders?user=a@b"
            })
    void atSignsOfParametersAndPaths_stay(String uri) {
        assertThat(ServerUri.parse(uri).url()).isEqualTo(uri);
    }

    /**
     * Without the setting, a database in memory goes with its last connection. One without a name belongs to one
     * connection in any case.
     */
    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:mem:a, jdbc:h2:mem:a, -1",
        "jdbc:h2:mem:a;USER=sa;prefix=app, jdbc:h2:mem:a;USER=sa, -1",
        "jdbc:h2:mem:a;db_close_delay=7;USER=sa, jdbc:h2:mem:a;db_close_delay=7;USER=sa,",
        "jdbc:h2:mem:a;USER=sa;DB_CLOSE_DELAY=-1, jdbc:h2:mem:a;USER=sa;DB_CLOSE_DELAY=-1,",
        "jdbc:h2:mem:, jdbc:h2:mem:,",
        "jdbc:h2:./data/a, jdbc:h2:./data/a,",
        "jdbc:h2:tcp://h/mem:a, jdbc:h2:tcp://h/mem:a,",
    })
    void h2InMemory_isKept(String uri, String url, @Nullable String delay) {
        assertThat(ServerUri.parse(uri).url()).isEqualTo(url);
        assertThat(ServerUri.parse(uri).settings().getProperty("DB_CLOSE_DELAY"))
                .isEqualTo(delay);
    }

    @Test
    void identity_keepsTheHostBehindAPasswordThatIsNotEncoded() {
        assertThat(ServerIdentity.of("jdbc:postgresql://app:se/secret@db:5432/orders"))
                .hasToString("jdbc:postgresql://db:5432/orders");
    }

    /** The metadata of a driver may return a URL in which somebody has put a password. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://app:se/secret@db:5432/orders",
                "jdbc:postgresql://app:se?secret@db:5432/orders",
                "jdbc:postgresql://app:se;secret@db:5432/orders",
                "jdbc:postgresql://app:se#secret@db:5432/orders",
                "jdbc:postgresql://app:se@secret@db:5432/orders",
                "jdbc:postgresql://db:5432/orders?user=app&password=se/secret@x",
                "jdbc:mariadb://db?user=app&password=x@secret",
                "jdbc:mariadb://address=(host=db)(user=app)(password=se)secret)/orders",
                "jdbc:mysql://(host=db,password=secret),(host=db2,password=x?secret)/orders",
                "jdbc:mariadb://db/orders?password=secret"
            })
    void identity_hasNoPassword(String url) {
        assertThat(ServerIdentity.of(url).toString())
                .doesNotContain("secret")
                .startsWith("jdbc:")
                .contains("db");
    }
}
