package dev.interlock.etcd;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.process.FirstCall;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process whose first call of anything is {@code tryLock()}, on a busy machine: it has ten seconds to connect. */
@Tag(Effort.TIMING)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FirstCallTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    @Test
    void firstTryLock_isGranted() throws Exception {
        FirstCall.assertGranted(ETCD.uri());
    }
}
