package dev.interlock.etcd;

import dev.interlock.LossCause;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.ManyProcessesContract;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that are killed and stopped: their locks are released with their sessions. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EtcdProcessesTest implements ManyProcessesContract {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    private Duration session = TestEtcd.LONG_SESSION;

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
        return ETCD.uri(session);
    }

    /** The last sign of life may have been half of the session ago. */
    @Override
    public Duration leaseMayBeShorterBy() {
        return session.dividedBy(2);
    }

    /** Its client and etcd find out at the same time; which is first is not known. */
    @Override
    public Set<LossCause> causesOfAStop() {
        return Set.of(LossCause.PAUSED, LossCause.SESSION_LOST);
    }
}
