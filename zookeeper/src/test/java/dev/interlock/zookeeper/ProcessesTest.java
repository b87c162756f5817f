package dev.interlock.zookeeper;

import dev.interlock.testkit.contract.ManyProcessesContract;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that are killed and stopped: what they held goes with their session, which is as short here as a lease. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessesTest implements ManyProcessesContract {

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    /** Short where somebody dies or stands still; else long, as the machine may stand still for a second itself. */
    private Duration session = Duration.ofSeconds(15);

    @BeforeEach
    void chooseSession(TestInfo test) {
        String name = test.getDisplayName();
        if (!name.startsWith("I02_") && !name.startsWith("P30_")) {
            boolean severalStart = name.startsWith("P10_");
            session = Duration.ofSeconds(severalStart ? 5 : 2);
        }
    }

    @Override
    public String storeUri() {
        return SERVER.uri("", session);
    }

    /** Of a session only its length is known, and it may not have been heard of for a third of that. */
    @Override
    public Duration leaseMayBeShorterBy() {
        return session.dividedBy(2);
    }
}
