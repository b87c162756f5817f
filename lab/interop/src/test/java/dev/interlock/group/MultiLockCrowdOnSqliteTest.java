package dev.interlock.group;

import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A crowd on one SQLite file, in as many clients as a machine may have processes at work. */
@Tag("wide")
class MultiLockCrowdOnSqliteTest extends MultiLockCrowdContract {

    @TempDir
    private Path directory;

    @Override
    LockStore openStore() {
        return JdbcStore.sqlite(directory.resolve("crowd.db"));
    }

    @Override
    int clientCount() {
        return 10;
    }

    @Override
    int rounds() {
        return Effort.pick(1, 20);
    }
}
