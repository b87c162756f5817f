package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import org.junit.jupiter.api.Test;

/** A lease that this process ends itself. */
class LocalLossTest extends EngineSuite {

    @Test
    void P01_forcedInThisProcess_isToldAtOnce() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        Lease lease = client.lock(name).acquire();

        assertThat(client.administration().forceUnlock(name)).isTrue();

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
    }
}
