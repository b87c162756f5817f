package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FailingConnection;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.jdbc.fixture.TestPool;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A driver that throws an Error: it is too old, out of memory, or on a broken class path. */
class DriverErrorTest extends FileTest {

    private static final LockId SEMAPHORE = new LockId("s", LockKind.SEMAPHORE);

    /** I2: the next grant is committed, and a half of the failed transaction is not there. */
    @ParameterizedTest
    @EnumSource
    void errorWithinATransaction_leavesNoTransactionOpen(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (FailingConnection pool = new FailingConnection(url);
                Client client = new Client(JdbcStore.over(pool.source()));
                Client other = new Client(JdbcStore.over(new TestPool(url).source()))) {
            client.release(client.hold("x"));
            Claim permits = client.claim(SEMAPHORE).inMode(new Mode.Permits(1, 1));

            // PostgreSQL has committed when the request that writes is answered.
            pool.failOnce(database == TestDatabase.POSTGRESQL ? "FOR UPDATE" : "INSERT INTO interlock_claim");
            Throwable failure = Client.failure(client.store().acquire(permits));

            assertThat(failure).isInstanceOf(AbstractMethodError.class);
            assertThat(pool.failures()).isEqualTo(1);
            assertThat(client.isGranted(client.claim("x"))).isTrue();
            assertThat(other.inspect("x").isLocked()).isTrue();
            assertThat(other.inspect(SEMAPHORE).isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void errorInTheSetUp_givesTheConnectionBack(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        try (FailingConnection pool = new FailingConnection(url);
                Client client = new Client(JdbcStore.over(pool.source()))) {
            pool.failOnce("getAutoCommit");

            assertThat(Client.failure(client.store().acquire(client.claim("x"))))
                    .isInstanceOf(AbstractMethodError.class);

            assertThat(pool.failures()).isEqualTo(1);
            await().until(() -> pool.out() == 0);
            assertThat(client.isGranted(client.claim("x"))).isTrue();
        }
    }
}
