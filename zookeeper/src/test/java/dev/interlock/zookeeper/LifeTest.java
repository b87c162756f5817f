package dev.interlock.zookeeper;

import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What counts for a while after its last use counts as long as it is used. */
class LifeTest {

    private static final Duration LIFE = Duration.ofSeconds(4);

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private Probe probe;

    @BeforeEach
    void connect() {
        probe = new Probe(SERVER.connected());
    }

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void aLatch_isNotAtZero_asLongAsSomebodyWaits() {
        LockId id = new LockId("latch", LockKind.LATCH);
        probe.granted(probe.claim(id, new Mode.SetCount(1)).withLease(LIFE));
        Claim waiting = probe.claim(id, new Mode.AwaitZero()).waiting(Duration.ZERO);

        longer(() -> probe.isBusy(waiting));
    }

    @Test
    void aSemaphore_keepsItsCapacity_asLongAsSomebodyWaits() {
        LockId id = new LockId("waiting", LockKind.SEMAPHORE);
        probe.granted(probe.claim(id, new Mode.Resize(1)).withLease(LIFE));
        probe.granted(probe.claim(id, new Mode.Permits(1, 2)));
        Claim waiting = probe.claim(id, new Mode.Permits(1, 2)).waiting(Duration.ZERO);

        longer(() -> probe.isBusy(waiting));
    }

    @Test
    void aSemaphore_keepsItsCapacity_asLongAsSomebodyHolds() {
        LockId id = new LockId("held", LockKind.SEMAPHORE);
        probe.granted(probe.claim(id, new Mode.Resize(1)).withLease(LIFE));
        Claim held = probe.claim(id, new Mode.Permits(1, 2));
        probe.granted(held);

        longer(() -> probe.renew(held) == Renewal.HELD);

        probe.busy(probe.claim(id, new Mode.Permits(1, 2)));
    }

    /** A session that has made nothing yet knows no time of the servers by itself. */
    @Test
    void aLatch_thatIsForgotten_isSoForANewSession() {
        LockId id = new LockId("forgotten", LockKind.LATCH);
        probe.granted(probe.claim(id, new Mode.SetCount(1)).withLease(Duration.ofSeconds(1)));

        await().pollInterval(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    try (Probe fresh = new Probe(SERVER.connected())) {
                        return !fresh.isBusy(fresh.claim(id, new Mode.SetCount(1)));
                    }
                });
    }

    private static void longer(BooleanSupplier used) {
        await().pollInterval(Duration.ofMillis(300))
                .during(LIFE.plusSeconds(2))
                .atMost(LIFE.multipliedBy(4))
                .failFast(() -> !used.getAsBoolean())
                .until(() -> true);
    }
}
