package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.PlaceWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the parts of the contract of kinds have in common. */
public interface KindsFixture {

    /** How long a claim in order keeps its place at most, without asking again. */
    Duration PLACE = Duration.ofSeconds(5);

    /** A scenario in which claims are served in the order of arrival. Its clients are watched. */
    interface InOrder {
        void run(PlaceWatch places) throws Exception;
    }

    /** Clients and names of this test. */
    LockClients clients();

    /** A client that hears of no wake. */
    default Interlock deaf(Duration pollCap) {
        FlakyStore store = new FlakyStore(clients().store(), 1, FlakyStore.Rates.NONE.withLostWakes(1));
        return clients().open(store, builder -> builder.pollCap(pollCap));
    }

    /** Returns when so many are listed as waiting. */
    static void awaitWaiters(Supplier<LockStatus> status, int count) {
        await("waiters are listed")
                .pollInterval(Duration.ofMillis(2))
                .until(() -> status.get().waiters().size() == count);
    }

    /**
     * Runs a scenario of claims in order; again, if it fails after one of them may have lost its place, because the
     * machine stood still. A store may leave an entry as it is that lasts for half of its time.
     */
    static void inOrder(InOrder scenario) throws Exception {
        Patience.inTime(() -> {
            PlaceWatch places = new PlaceWatch();
            try {
                scenario.run(places);
                return Optional.of(true);
            } catch (AssertionError e) {
                if (places.longestSilence().compareTo(PLACE.dividedBy(2)) < 0) {
                    throw e;
                }
                return Optional.empty();
            }
        });
    }

    /** The lease that must come, and to the first of these. */
    static Lease first(List<CompletableFuture<Lease>> waiting) throws Exception {
        get(CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new)));
        assertThat(waiting.get(0)).as("the first of %d", waiting.size()).isDone();
        return waiting.get(0).get();
    }

    /** The lease that must come. */
    static <T> T get(CompletionStage<T> soon) throws Exception {
        return soon.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }
}
