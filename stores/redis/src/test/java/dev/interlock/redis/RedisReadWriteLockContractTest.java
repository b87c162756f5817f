package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Read/write locks on Redis keep their contract, in the layout of Redisson. */
@Tag("server")
@Tag("drivers")
class RedisReadWriteLockContractTest extends ReadWriteLockContract {

    private static LeastRights rights;

    @BeforeAll
    static void startServer() {
        rights = new LeastRights();
    }

    @AfterAll
    static void stopServer() {
        rights.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(rights.uri());
    }
}
