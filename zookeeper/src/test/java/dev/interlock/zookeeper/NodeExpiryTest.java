package dev.interlock.zookeeper;

import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What counts for a while after its last use counts as long as it is used. */
class NodeExpiryTest {

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
    @ParameterizedTest
    @MethodSource("usesOfALatchAtZero")
    void aLatch_thatIsForgotten_isSoForANewSession(Mode use) {
        LockId id = new LockId("forgotten by " + use, LockKind.LATCH);
        probe.granted(probe.claim(id, new Mode.SetCount(1)).withLease(Duration.ofSeconds(1)));

        // Who looks uses it: for longer than its life nobody does.
        await().pollInterval(Duration.ofMillis(1_500))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    try (Probe fresh = new Probe(SERVER.connected())) {
                        return !fresh.isBusy(fresh.claim(id, use));
                    }
                });
    }

    private static List<Mode> usesOfALatchAtZero() {
        return List.of(new Mode.SetCount(1), new Mode.AwaitZero());
    }

    private static void longer(BooleanSupplier used) {
        await().pollInterval(Duration.ofMillis(300))
                .during(LIFE.plusSeconds(2))
                .atMost(LIFE.multipliedBy(4))
                .failFast(() -> !used.getAsBoolean())
                .until(() -> true);
    }
}
