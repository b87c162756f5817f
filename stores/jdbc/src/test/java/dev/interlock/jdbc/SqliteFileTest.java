package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The lock file: how it is created, and the messages when it cannot be used. */
class SqliteFileTest extends FileTest {

    @Test
    void P23_construction_touchesNothing() throws IOException {
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            assertThat(store).isNotNull();
            assertThat(files()).isEmpty();
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void P23_missingDirectory_failsTheOperation_untilItExists() throws IOException {
        Path later = directory.resolve("later");
        try (Client client = new Client(later.resolve("locks.db"))) {
            assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                    .hasMessageContaining("does not exist");
            Files.createDirectory(later);
            client.hold("x");
        }
    }

    @Test
    void files_areForTheirOwnerOnly() throws IOException {
        try (Client client = new Client(file)) {
            client.hold("x");

            assertThat(files()).hasSize(3).allSatisfy(each -> assertThat(
                            PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rw-------"));
        }
    }

    @Test
    void file_thatIsThere_keepsItsMode() throws IOException {
        Files.createFile(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        try (Client client = new Client(file)) {
            client.hold("x");
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-rw----");
    }

    @Test
    void path_mayHaveAnyCharacter() throws IOException {
        Path odd = directory.resolve("a b?c%41#d&e=f+g;h'.db");
        try (Client client = new Client(odd)) {
            client.hold("x");
        }
        assertThat(odd).exists();
        assertThat(files()).allSatisfy(each -> assertThat(each.toString()).startsWith(odd.toString()));
    }

    @Test
    void error_directoryIsMissing() {
        assertError(directory.resolve("none/locks.db"), "The directory of the lock file does not exist: create it");
    }

    /** As of a user who may not enter a directory above it; a link to itself keeps out root as well. */
    @Test
    void error_directoryCannotBeReached() throws IOException {
        Path loop = directory.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertError(loop.resolve("locks/locks.db"), "The directory of the lock file cannot be reached by this user");
    }

    /** As where /tmp is mounted noexec or is not there: a file is no place to unpack to, even for root. */
    @Test
    void error_driverCannotLoadItsLibrary() throws IOException {
        Path plain = Files.createFile(directory.resolve("plain"));
        try (ChildJvm child =
                ChildJvm.start(SqliteLibraryMain.class, List.of("-Dorg.sqlite.tmpdir=" + plain), List.of(file + ""))) {
            // A caller that waits is refused as well, and the second time for the same reason.
            for (int i = 0; i < 2; i++) {
                child.await(
                        "IllegalStateException: The driver of SQLite cannot load its native library", Patience.FULL);
            }
        }
    }

    @Test
    void error_fileIsADirectory() {
        assertError(directory, "The lock file is a directory: name a file in it");
    }

    @Test
    void error_directoryIsAFile() throws IOException {
        Path plain = Files.createFile(directory.resolve("plain"));
        assertError(plain.resolve("locks.db"), "something that is no directory");
    }

    @Test
    void error_noDatabase() throws IOException {
        Files.writeString(file, "This has been something else before.\n".repeat(40));
        assertError(file, "The lock file is not an SQLite database: name another file, or remove this one");
    }

    @Test
    void error_linkToNowhere() throws IOException {
        Files.createSymbolicLink(file, directory.resolve("nowhere/at-all.db"));
        assertError(file, "symbolic link that leads nowhere");
    }

    /** A place where nobody may create a file, not even root. */
    @Test
    void error_fileCannotBeCreated() {
        assertError(Path.of("/proc/interlock.db"), "path=/proc/interlock.db (");
    }

    @Test
    void error_readOnly() {
        try (Client client = new Client(file)) {
            client.hold("x");
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        try (Client client = new Client(JdbcStore.over(source))) {
            assertThat(Client.failure(client.store().acquire(client.claim("y"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("path=" + file)
                    .hasMessageContaining("readonly");
        }
    }

    @Test
    void error_laterVersion() {
        try (Client client = new Client(file)) {
            client.hold("x");
        }
        rows.execute("UPDATE interlock_fence SET version = 3");
        assertError(file, "made by a later version of Interlock: schema=3, known=2");
    }

    @Test
    void error_otherTablesOfTheSameName() {
        rows.execute("CREATE TABLE interlock_fence (version INTEGER)");
        rows.execute("INSERT INTO interlock_fence VALUES (2)");
        assertError(file, "The lock file cannot be used");
    }

    @Test
    void error_inMemory() {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite::memory:");
        try (Client client = new Client(JdbcStore.over(source))) {
            assertThat(Client.failure(client.store().acquire(client.claim("y"))))
                    .hasMessageContaining("in memory cannot be a lock store");
        }
    }

    @Test
    void dataSource_hasItsTablesBesideOthers() {
        rows.execute("CREATE TABLE orders (id INTEGER)");
        rows.execute("PRAGMA user_version = 77");
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        try (Client client = new Client(JdbcStore.over(source));
                Client other = new Client(JdbcStore.over(source, "other_app"))) {
            client.hold("x");
            other.hold("x");
        }

        assertThat(rows.number("PRAGMA user_version")).isEqualTo(77);
        assertThat(rows.number("SELECT count(*) FROM orders")).isZero();
        assertThat(rows.count("lock")).isEqualTo(1);
        assertThat(rows.number("SELECT count(*) FROM other_app_lock")).isEqualTo(1);
    }

    @Test
    void P26_callersTransaction_isItsOwn() throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        try (Client client = new Client(JdbcStore.over(source))) {
            client.hold("before");
            try (Connection callers = source.getConnection()) {
                callers.setAutoCommit(false);
                callers.createStatement()
                        .executeQuery("SELECT * FROM interlock_lock")
                        .close();

                client.hold("x");
                callers.rollback();
            }
            assertThat(client.inspect("x").isLocked()).isTrue();
        }
    }

    @Test
    void tablePrefix_mustBeAnIdentifier() {
        SQLiteDataSource source = new SQLiteDataSource();
        for (String bad : new String[] {"", "1a", "a b", "a;drop table x", "a\"", "a-b", "_a", "ä", "a".repeat(33)}) {
            assertThatThrownBy(() -> JdbcStore.over(source, bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("table prefix must be")
                    .hasMessageContaining("'" + bad + "'");
        }
    }

    @Test
    void provider_isFoundByTheUri() throws InterruptedException {
        try (Interlock interlock = Interlock.connect("sqlite:" + file)) {
            assertThat(interlock.lock("x").tryLock(Duration.ofMinutes(5))).isTrue();
            assertThat(interlock.administration().list("", 10)).hasSize(1);
        }
    }

    private void assertError(Path path, String said) {
        try (Client client = new Client(path)) {
            Throwable failure = Client.failure(client.store().acquire(client.claim("x")));
            assertThat(failure).isInstanceOf(StoreUnavailableException.class).hasMessageContaining(said);
            assertThat(String.valueOf(failure.getMessage())).doesNotContain("\n");
            assertThat(Client.failure(client.store().inspect(LockId.lock("x")))).hasMessageContaining(said);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            return found.toList();
        }
    }
}
