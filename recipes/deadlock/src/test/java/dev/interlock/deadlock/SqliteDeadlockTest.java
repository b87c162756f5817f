package dev.interlock.deadlock;

import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Deadlocks between clients of one SQLite file. */
@Tag("wide")
class SqliteDeadlockTest extends DeadlockContract {

    @TempDir
    private Path directory = Path.of(".");

    @Override
    int shortRuns() {
        return 4;
    }

    @Override
    LockStore openStore() {
        return JdbcStore.sqlite(directory.resolve("deadlocks.db"));
    }
}
