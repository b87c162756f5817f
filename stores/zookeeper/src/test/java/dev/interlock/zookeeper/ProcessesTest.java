package dev.interlock.zookeeper;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.ManyProcessesContract;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that are killed and stopped: their locks are released with their sessions. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessesTest implements ManyProcessesContract {

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private Duration session = TestServer.LONG_SESSION;

    /**
     * The session of a process that dies or is stopped must end soon: as soon as a lease where that is measured. In the
     * other tests a process that starts on a busy machine keeps it.
     */
    @BeforeEach
    void chooseSession(TestInfo test) {
        String name = test.getDisplayName();
        boolean severalStart = name.startsWith("P10_");
        if (test.getTags().contains(Effort.TIMING)) {
            session = Duration.ofSeconds(severalStart ? 5 : 2);
        } else if (severalStart || name.startsWith("P01_") || name.startsWith("I05_") || name.startsWith("P14_")) {
            session = Duration.ofSeconds(16);
        }
    }

    @Override
    public String storeUri() {
        return SERVER.uri("", session);
    }

    /** Only the length of a session is known, and its last sign of life may have been a third of that ago. */
    @Override
    public Duration leaseMayBeShorterBy() {
        return session.dividedBy(2);
    }
}
