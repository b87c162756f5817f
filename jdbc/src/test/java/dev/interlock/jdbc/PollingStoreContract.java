package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.testkit.contract.LockStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The contract of the five verbs, for a database that cannot wake. Two tests are stated anew, since the store keeps a free name for the waiter whose turn it is
 * instead of waking it: others get it when that moment is over.
 */
abstract class PollingStoreContract extends LockStoreContract {

    private Client open() {
        return new Client((JdbcStore) openStore());
    }

    @Override
    protected final boolean wakes() {
        return false;
    }

    @Test
    @Override
    public void waiting_aWakeIsAHint_anyFreeNameIsGranted() {
        try (Client a = open();
                Client b = open();
                Client stranger = open()) {
            Claim held = a.hold("hint");
            Claim waiting = b.await("hint", Duration.ofSeconds(1));
            a.release(held);

            Claim strange = stranger.claim("hint");
            await().atMost(Duration.ofSeconds(5)).until(() -> stranger.isGranted(strange));

            assertThat(b.isGranted(waiting)).isFalse();
        }
    }

    @Test
    @Override
    public void replacing_whenTheWokenDoesNotCome_isGrantedWhenItAsksAgain() {
        try (Client a = open();
                Client b = open()) {
            Claim earlier = a.hold("nobody comes");
            b.await("nobody comes", Duration.ofSeconds(1));
            Claim next = a.claim("nobody comes");
            assertThat(a.isGranted(next.waiting(Duration.ofSeconds(2)).replacing(earlier.owner())))
                    .isFalse();

            await().atMost(Duration.ofSeconds(5)).until(() -> a.isGranted(next.waiting(Duration.ofSeconds(3))));
        }
    }
}
