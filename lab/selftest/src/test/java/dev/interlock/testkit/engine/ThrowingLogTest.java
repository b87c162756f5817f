package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fixture.ThrowingLog;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An application's log may fail, on a full disk or by an appender that throws: then messages are lost, and no lease.
 */
class ThrowingLogTest {

    private static final LeaseTerm SHORT = LeaseTerm.renewing(Duration.ofSeconds(3));

    private final SwitchableStore store = new SwitchableStore(new MemoryStore());
    private final Renewed renewed = new Renewed();

    @Test
    void leasesAreRenewed_afterAnOutage() throws Exception {
        try (ThrowingLog log = new ThrowingLog();
                Interlock client = Interlock.builder(store).observer(renewed).build()) {
            // Whether it outlasts the outage does not matter.
            Lease first = client.lock("first").acquire(SHORT);
            store.mode(SwitchableStore.Mode.REFUSING);
            await("the outage is to be logged").until(() -> log.thrown() > 0);
            store.mode(SwitchableStore.Mode.HEALTHY);

            try (Lease second = client.lock("second").acquire(SHORT)) {
                await("renewal").until(() -> renewed.times("second") > 1);
                assertThat(second.token()).isNotEqualTo(first.token());
            }
        }
    }

    @Test
    void leasesAreRenewed_whileAnObserverThrows() throws Exception {
        LockObserver broken = new Renewed() {
            @Override
            public void renewed(String name, String owner) {
                throw new IllegalStateException("broken");
            }
        };
        try (ThrowingLog log = new ThrowingLog();
                Interlock client = Interlock.builder(store)
                        .observer(broken)
                        .observer(renewed)
                        .build();
                Lease lease = client.lock("n").acquire(SHORT)) {
            await("renewals").until(() -> renewed.times("n") > 1);
            assertThat(log.thrown()).isPositive();
            assertThat(lease.token()).isPositive();
        }
    }

    /** Counts renewals. */
    private static class Renewed implements LockObserver {

        private final Map<String, AtomicInteger> times = new ConcurrentHashMap<>();

        int times(String name) {
            return times.computeIfAbsent(name, unused -> new AtomicInteger()).get();
        }

        @Override
        public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
            return null;
        }

        @Override
        public void renewed(String name, String owner) {
            times.computeIfAbsent(name, unused -> new AtomicInteger()).incrementAndGet();
        }
    }
}
