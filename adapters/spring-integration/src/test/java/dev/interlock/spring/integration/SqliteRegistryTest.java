package dev.interlock.spring.integration;

import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The registry on a database. */
@Tag("long")
class SqliteRegistryTest extends RegistryContract {

    @TempDir
    static Path directory;

    @Override
    LockStore openStore() {
        return JdbcStore.sqlite(directory.resolve("locks.db"));
    }
}
