package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that expire some time after their last use count as long as they are used. */
class NodeExpiryTest {

    private static final Duration LIFE = Duration.ofSeconds(4);
    private static final long USES_MILLIS = 300;

    @RegisterExtension
    private static final TestServer SERVER = new TestServer();

    private Probe probe;

    @BeforeEach
    void connect() {
        probe = SERVER.probe();
    }

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void aLatch_isNotAtZero_asLongAsSomebodyWaits() {
        whileUsed(name -> latchWithAWaiter(new LockId("latch" + name, LockKind.LATCH)));
    }

    private BooleanSupplier latchWithAWaiter(LockId id) {
        probe.executed(probe.command(id, new Command.SetCount(1), LIFE));
        Claim waiting = probe.claim(id, new Mode.AwaitZero()).waiting(Duration.ZERO);

        return () -> probe.isBusy(waiting);
    }

    @Test
    void aSemaphore_keepsItsCapacity_asLongAsSomebodyWaits() {
        whileUsed(name -> semaphoreWithAWaiter(new LockId("waiting" + name, LockKind.SEMAPHORE)));
    }

    private BooleanSupplier semaphoreWithAWaiter(LockId id) {
        probe.executed(probe.command(id, new Command.Resize(1), LIFE));
        probe.granted(probe.claim(id, new Mode.Permits(1, 2)));
        Claim waiting = probe.claim(id, new Mode.Permits(1, 2)).waiting(Duration.ZERO);

        return () -> probe.isBusy(waiting);
    }

    @Test
    void aSemaphore_keepsItsCapacity_asLongAsSomebodyHolds() {
        whileUsed(name -> semaphoreWithAHolder(new LockId("held" + name, LockKind.SEMAPHORE)));
    }

    private BooleanSupplier semaphoreWithAHolder(LockId id) {
        probe.executed(probe.command(id, new Command.Resize(1), LIFE));
        Claim held = probe.claim(id, new Mode.Permits(1, 2));
        probe.granted(held);

        // A second permit would be free if the capacity had been forgotten.
        return () -> probe.renew(held) == Renewal.HELD && probe.isBusy(probe.claim(id, new Mode.Permits(1, 2)));
    }

    @Test
    void aLatch_thatIsForgotten_isSetByANewSession() {
        isForgotten("set", (fresh, id) -> fresh.isExecuted(fresh.command(id, new Command.SetCount(1))));
    }

    @Test
    void aLatch_thatIsForgotten_isPassedByANewSession() {
        isForgotten("passed", (fresh, id) -> !fresh.isBusy(fresh.claim(id, new Mode.AwaitZero())));
    }

    /** A session that has made nothing yet knows no time of the servers by itself. */
    private void isForgotten(String use, BiPredicate<Probe, LockId> isAtZero) {
        LockId id = new LockId("forgotten and " + use, LockKind.LATCH);
        probe.executed(probe.command(id, new Command.SetCount(1), Duration.ofSeconds(1)));

        // Each look is a use, so there is none for longer than the life of the latch.
        await().pollInterval(Duration.ofMillis(1_500)).until(() -> {
            try (Probe fresh = SERVER.probe()) {
                return isAtZero.test(fresh, id);
            }
        });
    }

    /**
     * Uses what is set up, again and again, for longer than its life. If the machine stood still for a part of that, it
     * may have been forgotten rightly: then once more, with another name.
     */
    private static void whileUsed(IntFunction<BooleanSupplier> setUp) {
        AtomicInteger name = new AtomicInteger();
        await().until(() -> {
            long begun = System.nanoTime();
            long last = begun;
            BooleanSupplier used = setUp.apply(name.incrementAndGet());
            while (last - begun < LIFE.plusSeconds(2).toNanos()) {
                Thread.sleep(USES_MILLIS);
                boolean kept = used.getAsBoolean();
                long now = System.nanoTime();
                if (now - last > LIFE.dividedBy(2).toNanos()) {
                    return false;
                }
                assertThat(kept).as("counts while it is used").isTrue();
                last = now;
            }
            return true;
        });
    }
}
