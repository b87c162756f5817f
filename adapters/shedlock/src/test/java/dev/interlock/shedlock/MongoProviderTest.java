package dev.interlock.shedlock;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.interlock.mongodb.MongoStore;
import dev.interlock.spi.LockStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The provider on mongo-java-server, a stand-in for MongoDB. */
@Tag("long")
class MongoProviderTest extends LeavingProviderContract {

    private static MongoServer server;
    private static String uri;

    @BeforeAll
    static void start() {
        server = new MongoServer(new MemoryBackend());
        uri = server.bindAndGetConnectionString();
    }

    @AfterAll
    static void stop() {
        server.shutdownNow();
    }

    @Override
    LockStore openStore() {
        return MongoStore.at(uri + "/shedlock");
    }
}
