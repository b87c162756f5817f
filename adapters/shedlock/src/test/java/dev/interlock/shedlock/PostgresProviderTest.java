package dev.interlock.shedlock;

import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.server.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.postgresql.ds.PGSimpleDataSource;

/** The provider on PostgreSQL. */
@Tag("long")
class PostgresProviderTest extends LeavingProviderContract {

    private static PGSimpleDataSource database;

    @BeforeAll
    static void start() {
        database = new PGSimpleDataSource();
        database.setUrl(PostgresServer.shared().newDatabase());
    }

    @Override
    LockStore openStore() {
        return JdbcStore.over(database);
    }
}
