package dev.interlock.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown of a store's URI. */
final class StoreUriTest {

    @ParameterizedTest
    @CsvSource({
        "sqlite:a b%41.db, sqlite:HERE/a b%41.db",
        "JDBC:SQLite:./a.db?prefix=x, JDBC:SQLite:HERE/./a.db?prefix=x",
        "sqlite:/a.db, sqlite:/a.db",
        "sqlite:%2Fa.db, sqlite:%2Fa.db",
        "sqlite:///a.db, sqlite:///a.db",
        "sqlite::memory:, sqlite::memory:",
        "jdbc:sqlite:file:a.db, jdbc:sqlite:file:a.db",
        "jdbc:h2:./a, jdbc:h2:./a",
        "redis://host, redis://host",
    })
    void aRelativePath_isThatOfThisDirectory(String given, String expected) {
        String here = Path.of("").toAbsolutePath().toString();

        assertThat(StoreUri.checked(given, "--store").value()).isEqualTo(expected.replace("HERE", here));
    }

    @Test
    void blanksAroundIt_areNoPartOfIt() {
        assertThat(StoreUri.checked(" redis://host:1\n", "--store").value()).isEqualTo("redis://host:1");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://host:6379/1, redis://host:6379/1",
        "redis://user:secret@host:6379, redis://user@host:6379",
        "redis://:secret@host, redis://host",
        "redis://secret@host, redis://host",
        "rediss://user:se/cr@et@host/0, rediss://user@host/0",
        "redis://user:secret:secret@host, redis://user@host",
        "redis://host?password=secret&x=1, redis://host?&x=1",
        "redis://host?password=a;secret#secret?secret&x=1, redis://host?&x=1",
        "jdbc:h2:tcp://host/db;PASSWORD=a\\\\;secret;USER=u, jdbc:h2:tcp://host/db;;USER=u",
        "jdbc:mysql://address=(host=h)(password=a=secret)/db, jdbc:mysql://address=(host=h)()/db",
        "jdbc:postgresql://app:se cret@db/orders, jdbc:postgresql://app@db/orders",
        "redis://:se cret@host, redis://host",
        "mongodb://u:se cret@h/db, mongodb://u@h/db",
        "jdbc:postgresql://db/orders?user=app&password=se cret&x=1, jdbc:postgresql://db/orders?user=app&&x=1",
        "jdbc:postgresql://db:5432/orders?user=app&password=se@cret, jdbc:postgresql://db:5432/orders?user=app&",
        "jdbc:postgresql://app@db:5432/orders?password=se@cret, jdbc:postgresql://app@db:5432/orders?",
        "jdbc:postgresql://app:1?se@cret@db/orders, jdbc:postgresql://app@db/orders",
        "jdbc:postgresql://app:12/se@cret@db/orders, jdbc:postgresql://app@db/orders",
        "jdbc:h2:tcp://host/db;PASSWORD=se cret;USER=u, jdbc:h2:tcp://host/db;;USER=u",
        "jdbc:mysql://address=(host=h)(password=se cret)/db, jdbc:mysql://address=(host=h)()/db",
        "jdbc:postgresql://app@db/orders, jdbc:postgresql://app@db/orders",
        "jdbc:postgresql://app@[::1]:5432/orders, jdbc:postgresql://app@[::1]:5432/orders",
        "mongodb://app@db/orders, mongodb://app@db/orders",
        "mongodb://u:p@h/db?authMechanismProperties=AWS_SESSION_TOKEN:secret&x=1, mongodb://u@h/db?&x=1",
        "jdbc:h2:mem:x;INIT=CREATE USER u PASSWORD secret\\\\;SELECT secret;USER=u, jdbc:h2:mem:x;;USER=u",
        "jdbc:mysql://h/db?connectionAttributes=a:secret, jdbc:mysql://h/db?",
        "jdbc:postgresql://app:secret/db, jdbc:postgresql://app/db",
        "jdbc:h2:tcp://app:1secret/db, jdbc:h2:tcp://app/db",
        "redis://app:secret, redis://app",
        "'jdbc:postgresql://h1:5432,h2:5433/db', 'jdbc:postgresql://h1:5432,h2:5433/db'",
        "sqlite:/home/a&key=b.db, sqlite:/home/a&key=b.db",
        "jdbc:sqlite:/home/a?prefix=b&c=(pwd=d), jdbc:sqlite:/home/a?prefix=b&c=(pwd=d)",
        "sqlite:/home/a@b/locks.db, sqlite:/home/a@b/locks.db",
        "jdbc:sqlite:///home/a@b/locks.db, jdbc:sqlite:///home/a@b/locks.db",
    })
    void withoutPassword(String uri, String expected) {
        assertThat(new StoreUri(uri).withoutPassword()).isEqualTo(expected).doesNotContain("secret", "cret@", "=se");
        assertThat(new StoreUri(uri).toString()).isEqualTo(expected);
    }

    @Test
    void messages_hideThePasswordsOfUris() {
        assertThat(StoreUri.hidePasswords(
                        "cannot reach redis://user:se@cret@host:1 or http://x?token=secret&y: refused", List.of()))
                .isEqualTo("cannot reach redis://***@host:1 or http://x?***&y: refused");
        assertThat(StoreUri.hidePasswords(
                        "cannot reach redis://:se cret@host or x", List.of("", "x", "redis://:se cret@host")))
                .isEqualTo("cannot reach redis://host or x");
    }

    /** What a URI may look like has no password, and must be readable. */
    @Test
    void messages_keepTheFormsOfUris() {
        for (String form : List.of("redis://[[user]:password@]host[:port]", "zk://[user:password@]host[:port]/path")) {
            String message = "as in " + form + "; or otherwise";
            assertThat(StoreUri.hidePasswords(message, List.of())).isEqualTo(message);
        }
        assertThat(StoreUri.hidePasswords("x://[user:password@]secret@host and x://[user:secret@host", List.of()))
                .doesNotContain("secret");
    }

    /** The patterns take time by the square of the length, or a frame of the stack for each character. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "x", "//a:b", ";key=", "(pwd=", "?token=&"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void messages_ofAnyLength_areCut(String part) {
        assertThat(StoreUri.hidePasswords("ERR ;password=" + part.repeat(200_000), List.of()))
                .isEqualTo("ERR …");
        assertThat(StoreUri.hidePasswords("word ".repeat(200_000), List.of()))
                .startsWith("word word ")
                .hasSizeLessThan(5_000);
    }

    /** What is no URI because it is so long is not shown, and takes no time. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "x", "//a:b", ";key=", "(pwd=", "?token=&", "secret"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongUri_isRefused_andNotShown(String part) {
        for (String scheme : List.of("redis://", "jdbc:postgresql://", "jdbc:h2:mem:x;")) {
            String uri = scheme + part.repeat(100_000);
            assertThatThrownBy(() -> StoreUri.checked(uri, "--store"))
                    .isInstanceOf(CommandException.class)
                    .hasMessageStartingWith("--store must be a URI of at most 2048 characters")
                    .hasMessageNotContaining("secret");
            assertThat(new StoreUri(uri).withoutPassword()).isEqualTo("…");
            assertThat(StoreUri.hidePasswords("cannot reach " + uri, List.of(uri)))
                    .isEqualTo("cannot reach …");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "redis", ":x", "/a/b", "//u:secret@host", "1x:y", "redis:"})
    void anythingWithoutAScheme_isRefused(String uri) {
        assertThatThrownBy(() -> StoreUri.checked(uri, "--store"))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("--store must be a URI");
    }

    @Test
    void sqlite_escapesWhatAPathMayNotContain() {
        assertThat(StoreUri.sqlite(Path.of("/a b/100%?.db")).value()).isEqualTo("sqlite:/a b/100%25%3F.db");
    }
}
