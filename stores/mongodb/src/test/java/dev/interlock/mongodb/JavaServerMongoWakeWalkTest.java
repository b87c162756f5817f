package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.WakeWalkContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Claims that wait on MongoDB keep the contract of wakes. On mongo-java-server, with change streams of the tests' own;
 * on a replica set of MongoDB if told so.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JavaServerMongoWakeWalkTest implements WakeWalkContract {

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start(new StreamingBackend());
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    public int serverPort() {
        return mongo.port();
    }

    @Override
    public LockStore openAt(int port) {
        return MongoStore.at(mongo.uriAt(port));
    }

    /** After a failure the next stream begins in five seconds. */
    @Tag("wide")
    @Test
    @Override
    public void P11_connectionCutBeforeAnyRequest_theReleaseWakes() {
        WakeWalkContract.super.P11_connectionCutBeforeAnyRequest_theReleaseWakes();
    }

    @Tag("wide")
    @Test
    @Override
    public void P11_connectionsCutWhileAllSleep_eachReleaseWakesTheNext() {
        WakeWalkContract.super.P11_connectionsCutWhileAllSleep_eachReleaseWakesTheNext();
    }
}
