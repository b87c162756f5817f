package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicatedGrantsTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    /** The beginning of a clock is nowhere. */
    private static final long START = Long.MAX_VALUE - 7;

    private final ReplicatedGrants grants = new ReplicatedGrants();

    @Test
    void aGrantIsKnownByItsFenceUntilItEnds() {
        grants.granted(claim(1), 17, START);

        assertThat(grants.has(claim(1), 17)).isTrue();
        assertThat(grants.has(claim(1), 18)).isFalse();
        assertThat(grants.has(claim(2), 17)).isFalse();
        grants.released(claim(1));
        assertThat(grants.has(claim(1), 17)).isFalse();
        assertThat(grants.size()).isZero();
    }

    /** I6: a grant that is lost, or ended elsewhere, is never released here. */
    @Test
    void thoseWhoseLeaseIsOverAreForgotten() {
        int last = 1_000;
        grants.granted(claim(0), 17, START);
        for (int i = 1; i <= last; i++) {
            long now = START + i * LEASE.toNanos();
            grants.renewed(List.of(claim(0)), now);
            grants.granted(claim(i), i, now);
        }

        assertThat(grants.size()).isLessThan(150);
        assertThat(grants.has(claim(0), 17)).isTrue();
        assertThat(grants.has(claim(last), last)).isTrue();
    }

    @Test
    void whatIsNotKnownIsNotLearntByItsRenewal() {
        grants.renewed(List.of(claim(1)), START);

        assertThat(grants.size()).isZero();
    }

    private static Claim claim(int number) {
        return Claim.of(LockId.lock("n"), OwnerId.of("client", number), LEASE, Probe.PARTY);
    }
}
