package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Release without a blocked thread: what {@code release} does, and says. */
interface AsyncReleaseContract extends LockFixture {

    private static ReleaseOutcome outcome(CompletionStage<ReleaseOutcome> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    /**
     * With a store that does not answer the outcome comes all the same, and the lock is free when the store answers
     * again.
     */
    @Test
    default void asyncRelease_withASilentStore_isUnconfirmed() throws Exception {
        releaseInSilence(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void asyncRelease_withASilentStore_isUnconfirmed_inTime() throws Exception {
        releaseInSilence(Duration.ofMillis(300));
    }

    private void releaseInSilence(Duration limit) throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = clients().open(faulty.store(), b -> b.attemptTimeout(Duration.ofMillis(200))
                .closeTimeout(Duration.ofMillis(400)));
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LONG);
        // A store may tidy up after its first answer; the next one comes when that is done.
        assertThat(LockFixture.answer(lock::isLocked)).isTrue();
        faulty.blackHole().strike();
        try (Stopwatch watch = new Stopwatch()) {
            assertThat(outcome(lease.releaseAsync())).isEqualTo(ReleaseOutcome.UNCONFIRMED);
            watch.assertAtMost(limit, "a release over a silent store, with a limit of 200 ms");
        }
        await().until(() -> faulty.blackHole().hits() > 0);
        assertThat(other.isLocked()).isTrue();
        faulty.blackHole().heal();
        other.tryAcquire(Patience.limit()).orElseThrow().close();
    }

    /** P27: what is on its way when the client closes arrives, and who waits for it is told. */
    @Test
    default void P27_asyncRelease_isAwaitedByClose() throws Exception {
        Interlock client = clients().open();
        Interlock observer = clients().open();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            leases.add(client.lock(clients().name()).acquire(LONG));
        }
        List<CompletionStage<ReleaseOutcome>> released =
                leases.stream().map(Lease::releaseAsync).toList();

        client.close();

        assertThat(leases).noneMatch(lease -> observer.lock(lease.name()).isLocked());
        for (CompletionStage<ReleaseOutcome> one : released) {
            assertThat(outcome(one)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
