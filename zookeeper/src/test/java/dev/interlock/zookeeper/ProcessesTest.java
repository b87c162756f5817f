package dev.interlock.zookeeper;

import dev.interlock.testkit.contract.ManyProcessesContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Processes that are killed and stopped: what they held goes with their session, which is as short here as a lease. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessesTest implements ManyProcessesContract {

    private static TestServer server;

    /** Short where somebody dies or stands still; else long, as the machine may stand still for a second itself. */
    private Duration session = Duration.ofSeconds(15);

    @BeforeEach
    void chooseSession(TestInfo test) {
        if (!test.getDisplayName().startsWith("I02_")) {
            session = Duration.ofSeconds(2);
        }
    }

    @BeforeAll
    static void startServer() {
        server = new TestServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    public String storeUri() {
        return server.uri("", session);
    }
}
