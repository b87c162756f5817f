package dev.interlock.jdbc;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.DistributedLockContract;
import dev.interlock.testkit.contract.ManyProcessesContract;
import dev.interlock.testkit.server.PostgresServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Locks on PostgreSQL keep the contract of locks; other processes too. */
class PostgresLockContractTest extends DistributedLockContract implements ManyProcessesContract {

    private static final String URL = PostgresServer.shared().newDatabase();
    private static final TestPool POOL = new TestPool(URL);

    /** A first connection takes longer than the shortest wait of the tests. */
    @BeforeAll
    static void fillPool() throws SQLException {
        POOL.filled();
    }

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.over(POOL.source());
    }

    @Override
    public String storeUri() {
        return URL;
    }

    /** Each acquisition is a commit. */
    @Override
    protected int scale() {
        return 3_000;
    }
}
