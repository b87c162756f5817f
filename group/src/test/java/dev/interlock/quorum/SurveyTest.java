package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import java.util.List;
import org.junit.jupiter.api.Test;

class SurveyTest {

    /** More names than one question to a store has room for. */
    private static final int NAMES = 301;

    @Test
    void aLockBehindManyRegisters_isListed() throws Exception {
        try (MemoryNodes nodes = MemoryNodes.of(3);
                Interlock client = Interlock.builder(nodes.quorum()).build()) {
            for (int i = 0; i < NAMES; i++) {
                client.lock("n" + i).acquire().close();
            }
            try (Lease lease = client.lock("z").acquire()) {
                assertThat(nodes.isLockedIn(
                                0, FenceRegister.of(LockId.lock("n0")).name()))
                        .isTrue();
                List<LockStatus> listed = client.list("", 100);
                assertThat(listed).extracting(LockStatus::name).containsExactly("z");
                assertThat(lease.isValid()).isTrue();
            }
        }
    }
}
