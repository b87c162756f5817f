package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;

/**
 * Checks of wakes, which a store that cannot wake passes by.
 *
 * @param expected whether the store wakes who waits
 * @param exact whether it wakes nobody else
 */
record Wakes(boolean expected, boolean exact) {

    /** A wake takes less than a millisecond on most stores, and a random walk waits for thousands of them. */
    private static final Duration OFTEN = Duration.ofMillis(1);

    private static final Duration QUIET = Duration.ofMillis(200);

    /** How long a claim is waited for that the store may have forgotten, and then wakes no more. */
    private static final Duration FORGOTTEN = Duration.ofSeconds(10);

    /** A wake for this name reaches the client; asked right after what brings it about. */
    void reach(StoreClient client, LockId lock) {
        if (expected) {
            boolean mayBeForgotten = client.mayBeForgotten();
            long begun = System.nanoTime();
            await("wake of " + lock)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(OFTEN)
                    .until(() -> client.wakes().contains(lock)
                            || (mayBeForgotten && System.nanoTime() - begun > FORGOTTEN.toNanos()));
            assertThat(client.wakes()).contains(lock);
        }
    }

    /** A wake for this claim reaches the client. */
    void reach(StoreClient client, Claim claim, String after) {
        // Stores in this process are quicker than a wait begins.
        if (expected && !client.isWoken(claim)) {
            await("wake of " + claim + " after " + after)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(OFTEN)
                    .until(() -> client.isWoken(claim));
        }
    }

    /**
     * No wake for this name reaches the client; asked after one has reached somebody else, or with nothing on its way.
     */
    void spare(StoreClient client, LockId lock) {
        if (!exact) {
            return;
        }
        if (expected) {
            long begun = System.nanoTime();
            await("silence about " + lock)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(OFTEN)
                    .until(() -> client.wakes().contains(lock) || System.nanoTime() - begun > QUIET.toNanos());
        }
        assertThat(client.wakes()).doesNotContain(lock);
    }
}
