package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.idle.IdleCostContract;
import dev.interlock.testkit.contract.idle.Prices;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Idle costs where claims poll. On mongo-java-server, not MongoDB, unless told otherwise. */
@Tag("wide")
class JavaServerMongoPollingIdleTest extends IdleCostContract {

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    protected int serverPort() {
        return mongo.port();
    }

    @Override
    protected LockStore openStore(int port) {
        return MongoStore.at(mongo.uriAt(port));
    }

    /**
     * The first in a line polls each 40 ms at most, a quarter earlier or later at random, by one read. A command is one
     * message or two; a renewal and an inspection are two commands, since they ask for the time. Two commands prolong a
     * place each 2.5 s, and the driver says hello now and then.
     */
    @Override
    protected Prices prices() {
        return new Prices(Duration.ofMillis(30), 2, 4, 4, 1);
    }
}
