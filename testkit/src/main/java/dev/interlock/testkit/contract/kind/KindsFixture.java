package dev.interlock.testkit.contract.kind;

import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.store.FlakyStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the parts of the contract of kinds have in common. */
public interface KindsFixture {

    /** How long a claim in order keeps its place at most, without asking again. */
    Duration PLACE = Duration.ofSeconds(5);

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

    /** The lease that must come. */
    static <T> T get(CompletionStage<T> soon) throws Exception {
        return soon.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }
}
