package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The contract of the six verbs, for a store that cannot wake. Two tests are stated anew, since it keeps a free name
 * for the waiter whose turn it is instead of waking it: others get it when that moment is over.
 */
public abstract class PollingStoreContract extends LockStoreContract {

    @Override
    protected final boolean wakes() {
        return false;
    }

    @Test
    @Override
    public void waiting_aWakeIsAHint_anyFreeNameIsGranted() {
        StoreClient a = client();
        StoreClient b = client();
        StoreClient stranger = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        Claim waiting = b.await(lock, Duration.ofSeconds(1));
        a.release(held);

        Claim strange = stranger.claim(lock);
        await().until(() -> stranger.isGranted(strange));

        assertThat(b.isGranted(waiting)).isFalse();
    }

    @Test
    @Override
    public void replacing_whenTheWokenDoesNotCome_isGrantedWhenItAsksAgain() {
        StoreClient a = client();
        StoreClient b = client();
        Claim[] next = new Claim[1];

        // On a slow machine the moment may be over when the client asks.
        await("busy as long as the name is kept for the other").until(() -> {
            LockId lock = clients().lock();
            Claim earlier = a.hold(lock);
            b.await(lock, Duration.ofSeconds(1));
            next[0] = a.claim(lock);
            return !a.isGranted(next[0].waiting(Duration.ofSeconds(2)).replacing(earlier.owner()));
        });

        await().until(() -> a.isGranted(next[0].waiting(Duration.ofSeconds(3))));
    }
}
