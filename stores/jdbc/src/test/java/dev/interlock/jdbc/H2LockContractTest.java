package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import java.sql.Connection;
import java.sql.ResultSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks on H2 keep the contract of locks. */
@Tag("long")
class H2LockContractTest extends DistributedLockContract {

    private static final TestPool POOL = new TestPool("jdbc:h2:mem:H2LockContractTest;DB_CLOSE_DELAY=-1");

    /** A first connection takes longer than the shortest wait of the tests. */
    @BeforeAll
    static void fillPool() {
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
    protected boolean wakes() {
        return false;
    }

    /** Each acquisition is a transaction of several statements. */
    @Override
    protected int scale() {
        return 2_000;
    }

    /**
     * Replaces the check of the heap, which is also the heap of the database: that keeps a row for each name for a
     * minute.
     */
    @Test
    @Override
    public void P22_manyNames_onceEach_leaveNothingBehind() throws Exception {
        try (Client client = new Client(JdbcStore.over(POOL.source()));
                Connection connection = POOL.take()) {
            for (int i = 0; i < 200; i++) {
                client.release(client.hold("once-" + i));
            }
            try (ResultSet row = connection
                    .createStatement()
                    .executeQuery("SELECT count(*) FROM interlock_lock WHERE until_ms > 0 AND CAST(name AS VARCHAR) "
                            + "LIKE 'once-%'")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getLong(1)).isZero();
            }
        }
    }
}
