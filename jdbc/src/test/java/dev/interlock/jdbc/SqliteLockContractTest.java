package dev.interlock.jdbc;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.DistributedLockContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** Locks on SQLite keep the contract of locks; every client has a connection of its own to one file. */
class SqliteLockContractTest extends DistributedLockContract {

    private static final Path DIRECTORY = TestFiles.directory();

    @AfterAll
    static void removeFiles() {
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(DIRECTORY.resolve("locks.db"));
    }

    @Override
    protected boolean wakes() {
        return false;
    }

    /** Each acquisition is a commit to a file. */
    @Override
    protected int scale() {
        return 3_000;
    }
}
