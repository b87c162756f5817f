package dev.interlock.mongodb;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The same contract where who waits hears of its turn by a change stream. On mongo-java-server, not MongoDB, with
 * streams of the tests' own, unless told otherwise.
 */
@Tag("long")
class JavaServerMongoHeardKindsTest extends JavaServerMongoKindsContractTest {

    @BeforeAll
    static void start() {
        mongo = TestMongo.start(new StreamingBackend());
    }
}
