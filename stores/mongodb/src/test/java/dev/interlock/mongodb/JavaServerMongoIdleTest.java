package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Idle costs where a change stream wakes who waits. On mongo-java-server, not MongoDB, with streams of the tests' own,
 * unless told otherwise.
 */
class JavaServerMongoIdleTest extends IdleCostContract {

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start(new StreamingBackend());
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    /** Messages are not counted: these streams answer each 10 ms, those of MongoDB each second. */
    @Override
    protected int serverPort() {
        return 0;
    }

    @Override
    protected LockStore openStore(int port) {
        return MongoStore.at(mongo.uri());
    }

    /** A claim that is woken asks each 700 ms, a quarter earlier or later at random. */
    @Override
    protected Prices prices() {
        return Prices.withoutServer(Duration.ofMillis(525));
    }
}
