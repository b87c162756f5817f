package dev.interlock.mongodb;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/** A client that keeps whom the store has woken. */
final class Heard extends BlockingClient {

    /** A waiting claim that is not heard is told to ask again well before. */
    private static final Duration SELDOM = Duration.ofMillis(400);

    private static final Duration PATIENCE = Patience.FULL;

    private final Set<OwnerId> woken = ConcurrentHashMap.newKeySet();

    Heard(LockStore store) {
        super(store);
        store.onWake(wake -> {
            OwnerId owner = wake.owner();
            if (owner != null) {
                woken.add(owner);
            }
        });
    }

    /** Asks for a claim that is busy until it is told to ask seldom, since it will hear of its turn. */
    Claim waits(Claim claim) {
        Claim waiting = claim.waiting(Duration.ofMillis(200));
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> busy(waiting).compareTo(SELDOM) > 0);
        return waiting;
    }

    boolean isWoken(Claim claim) {
        return woken.contains(claim.owner());
    }

    void awaitWake(Claim claim) {
        Awaitility.await("wake of " + claim)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> isWoken(claim));
    }

    void forgetWakes() {
        woken.clear();
    }
}
