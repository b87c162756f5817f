package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import org.junit.jupiter.api.Test;

/** A lease that this process ends itself. */
class LocalLossTest extends EngineSuite {

    @Test
    void P01_forcedInThisProcess_isToldAtOnce() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();

        assertThat(lock.forceUnlock()).isTrue();

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
    }
}
