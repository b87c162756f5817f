package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class QuorumInspectionTest {

    /** More names than one question to a store has room for. */
    private static final int NAMES = 301;

    private static final Duration TIMEOUT = Duration.ofMillis(200);

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
                List<LockStatus> listed = client.administration().list("", 100);
                assertThat(listed).extracting(LockStatus::name).containsExactly("z");
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    /** It is asked for more and more names, with more and more time; the others answer at once. */
    @Test
    void aSilentStore_isAskedOnceInEachRoundOfAListing() throws Exception {
        listing(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void aSilentStore_costsAListingItsTimeoutInEachRound() throws Exception {
        listing(TIMEOUT.multipliedBy(9));
    }

    private static void listing(Duration limit) throws Exception {
        SickStore silent = new SickStore();
        try (MemoryNodes nodes = MemoryNodes.of(3);
                Interlock client = Interlock.builder(QuorumStore.over(
                                nodes.sessions(List.of(new SickStore(), new SickStore(), silent)), TIMEOUT))
                        .build()) {
            for (int i = 0; i < 10 * NAMES; i++) {
                client.lock("n" + i).acquire().close();
            }
            silent.silence("list", "inspect");
            try (Lease lease = client.lock("z").acquire();
                    Stopwatch watch = new Stopwatch()) {
                assertThat(client.administration().list("", 100))
                        .extracting(LockStatus::name)
                        .containsExactly("z");
                watch.assertAtMost(limit, "a listing in five rounds and a look");
                assertThat(silent.asked("list")).isEqualTo(5);
                assertThat(lease.isValid()).isTrue();
            }
        }
    }
}
