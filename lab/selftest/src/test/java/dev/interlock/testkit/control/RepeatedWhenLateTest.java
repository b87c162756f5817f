package dev.interlock.testkit.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.store.StoreSuite;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A test of a store is repeated only if the store may have forgotten who waits. */
class RepeatedWhenLateTest {

    /** For how long a store lists a claim that polls. */
    private static final Duration LISTED = Duration.ofSeconds(2);

    private static final AtomicInteger RUNS = new AtomicInteger();

    @Test
    void failureAfterAWaitingClaimMayBeForgotten_isRepeated() {
        assertThat(failures("late")).isZero();
        assertThat(RUNS).hasValue(2);
    }

    @Test
    void failureWhileAWaitingClaimIsListed_counts() throws Exception {
        Long failures = Patience.inTime(RepeatedWhenLateTest::earlyFailures);
        assertThat(failures).isOne();
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void lateFailureWithoutAWaitingClaim_counts() {
        assertThat(failures("lateWithoutAWaiter")).isOne();
        assertThat(RUNS).hasValue(1);
    }

    /** Nothing if the claim may have been forgotten meanwhile. */
    private static Optional<Long> earlyFailures() {
        long begun = System.nanoTime();
        long failures = failures("early");
        boolean listed = System.nanoTime() - begun < LISTED.dividedBy(2).toNanos();
        return listed ? Optional.of(failures) : Optional.empty();
    }

    private static long failures(String test) {
        RUNS.set(0);
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectMethod(Suite.class, test))
                                .build(),
                        summary);
        assertThat(summary.getSummary().getTestsFoundCount()).isOne();
        return summary.getSummary().getTestsFailedCount();
    }

    /** Each fails when it is run for the first time. Not found by the build itself: it is not a top-level class. */
    static final class Suite extends StoreSuite {
        private final MemoryStore shared = new MemoryStore();

        @Override
        protected LockStore openStore() {
            return new DelegatingStore(shared);
        }

        @Override
        protected boolean wakes() {
            return false;
        }

        @Test
        void late() {
            listAWaiter();
            await().until(clients()::mayBeForgotten);
            failTheFirstTime();
        }

        @Test
        void early() {
            listAWaiter();
            failTheFirstTime();
        }

        @Test
        void lateWithoutAWaiter() {
            StoreClient client = client();
            LockId lock = clients().lock();
            client.hold(lock);
            await().until(() -> client.holder(lock).heldFor().compareTo(LISTED) > 0);
            failTheFirstTime();
        }

        private void listAWaiter() {
            LockId lock = clients().lock();
            client().hold(lock);
            client().await(lock, Duration.ZERO);
        }

        private static void failTheFirstTime() {
            assertThat(RUNS.incrementAndGet()).isGreaterThan(1);
        }
    }
}
