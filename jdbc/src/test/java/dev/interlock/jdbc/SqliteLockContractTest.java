package dev.interlock.jdbc;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.DistributedLockContract;
import dev.interlock.testkit.contract.ManyProcessesContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** Locks on SQLite keep the contract of locks; every client has a connection of its own to one file, other processes too. */
class SqliteLockContractTest extends DistributedLockContract implements ManyProcessesContract {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final Path FILE = DIRECTORY.resolve("locks.db");

    @AfterAll
    static void removeFiles() {
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(FILE);
    }

    @Override
    public String storeUri() {
        return "sqlite:" + FILE;
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
