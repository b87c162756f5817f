package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FailingConnection;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** A lock file whose path contains a link, which a deployment redirects (I2). */
class SqliteLinkTest extends FileTest {

    private static final String NAME = "job";

    private final Path first = directory.resolve("r1");
    private final Path second = directory.resolve("r2");
    private final Path current = directory.resolve("cur");

    @BeforeEach
    void makeReleases() throws IOException {
        Files.createDirectory(first);
        Files.createDirectory(second);
        Files.createSymbolicLink(current, first);
    }

    @Test
    void P01_redirectedDirectory_theHolderIsNotified() throws IOException {
        Path path = current.resolve("locks.db");
        assertHolderIsTold(JdbcStore.sqlite(path), path, current, second);
    }

    @Test
    void P01_redirectedFile_theHolderIsNotified() throws IOException {
        Path old = Files.createFile(first.resolve("old.db"));
        Path next = Files.createFile(second.resolve("next.db"));
        Path link = Files.createSymbolicLink(directory.resolve("link.db"), old);
        assertHolderIsTold(JdbcStore.sqlite(link), link, link, next);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "%s?busy_timeout=100", "file:%s", "file://%s?mode=rwc#x", "file://localhost%s"})
    void P01_redirectedDirectoryOfADataSource_theHolderIsNotified(String form) throws IOException {
        Path path = current.resolve("locks.db");
        assertHolderIsTold(JdbcStore.over(source(form.formatted(path))), path, current, second);
    }

    private static void assertHolderIsTold(JdbcStore store, Path path, Path link, Path next) throws IOException {
        try (Client a = new Client(store);
                Client b = new Client(path)) {
            Claim held = a.hold(NAME);
            lead(link, next);

            assertThat(b.isGranted(b.claim(NAME))).isTrue();
            assertThat(a.renew(held)).isEqualTo(Renewal.TAKEN);
            assertThat(a.isGranted(a.claim(NAME))).isFalse();
        }
    }

    /**
     * An escape that Java refuses; a word that is not a setting, and so belongs to the name. The path is unknown, and
     * everything else works.
     */
    @ParameterizedTest
    @ValueSource(strings = {"file:%s/100%%.db", "%s/locks.db?no=setting", "file:///%s/locks.db?cache=private"})
    void urlsOfOtherForms_work(String form) throws IOException {
        try (Client a = new Client(JdbcStore.over(source(form.formatted(current))))) {
            Claim held = a.hold(NAME);
            assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
            assertThat(a.release(held)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "r3, The directory of the lock file does not exist",
        "cur, symbolic links",
        "plain, something that is no directory",
    })
    void linkToNoDirectory_failsOperations_untilItIsBack(String target, String said) throws IOException {
        Files.createFile(directory.resolve("plain"));
        try (Client a = new Client(current.resolve("locks.db"))) {
            Claim held = a.hold(NAME);
            lead(current, directory.resolve(target));
            assertRenewFails(a, held, said);

            lead(current, first);

            assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
        }
    }

    @Test
    void missingLink_failsOperations_untilItIsBack() throws IOException {
        try (Client a = new Client(current.resolve("locks.db"))) {
            Claim held = a.hold(NAME);
            Files.delete(current);
            assertRenewFails(a, held, "The directory of the lock file does not exist");

            lead(current, first);

            assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
        }
    }

    /** Its pool does not notice that the connection is of no more use. */
    @Test
    void connectionToTheOldFile_isRefused() throws IOException, SQLException {
        Path path = current.resolve("locks.db");
        try (FailingConnection pool = new FailingConnection("jdbc:sqlite:" + path);
                Client a = new Client(JdbcStore.over(pool.source()))) {
            Claim held = a.hold(NAME);
            lead(current, second);

            assertRenewFails(a, held, "leads elsewhere than the connection");
            assertThat(pool.out()).isZero();
        }
    }

    private static void assertRenewFails(Client client, Claim held, String said) {
        assertThat(Client.failure(client.store().renew(List.of(held))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(said);
    }

    private static void lead(Path link, Path target) throws IOException {
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, target);
    }

    private static SQLiteDataSource source(String name) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + name);
        return source;
    }
}
