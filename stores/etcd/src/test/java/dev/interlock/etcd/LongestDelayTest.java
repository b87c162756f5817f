package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A lock delay of a quarter of the session is always granted, and a longer one never. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongestDelayTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    /** Its signs of life are a second apart. */
    private static final Duration SESSION = Duration.ofSeconds(6);

    private static final Duration QUARTER = SESSION.dividedBy(4);

    @Test
    void aQuarterOfTheSession_isGrantedAtAnyTime() throws Exception {
        try (Interlock client = Interlock.connect(ETCD.uri(SESSION))) {
            DistributedLock lock = client.lock("quarter", options -> options.lockDelay(QUARTER));
            long end = System.nanoTime() + SESSION.dividedBy(5).toNanos();
            while (System.nanoTime() < end) {
                try (Lease lease = lock.acquire()) {
                    assertThat(lease.token()).isPositive();
                }
            }
        }
    }

    @Test
    void moreThanAQuarter_isRefused_atOnce_andLater() throws Exception {
        try (Interlock client = Interlock.connect(ETCD.uri(SESSION))) {
            DistributedLock lock = client.lock("more", options -> options.lockDelay(QUARTER.plusMillis(1)));
            long end = System.nanoTime() + SESSION.dividedBy(5).toNanos();
            while (System.nanoTime() < end) {
                assertThatThrownBy(lock::acquire)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("allows PT1.5S");
            }
        }
    }
}
