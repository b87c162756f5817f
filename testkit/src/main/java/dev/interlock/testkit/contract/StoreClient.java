package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client of the store under test that keeps the wakes it is told of, and looks closely at what the store lists. */
final class StoreClient extends BlockingClient {

    private static final int ATTEMPTS_TO_WAIT = 10;

    private final List<LockId> wakes = new CopyOnWriteArrayList<>();
    private final Set<OwnerId> woken = ConcurrentHashMap.newKeySet();

    StoreClient(LockStore store) {
        super(store);
        store.onWake(this::wake);
    }

    private void wake(Wake wake) {
        OwnerId owner = wake.owner();
        if (owner != null) {
            woken.add(owner);
        }
        wakes.add(wake.id());
    }

    /** The wakes that have arrived. */
    List<LockId> wakes() {
        return wakes;
    }

    /** Whether a wake has arrived for this claim: by its name, or for all of this name. */
    boolean isWoken(Claim claim) {
        return woken.contains(claim.owner()) || (woken.isEmpty() && wakes.contains(claim.id()));
    }

    void forgetWakes() {
        woken.clear();
        wakes.clear();
    }

    /**
     * Lists a new claim as waiting, for so long already, behind a holder. A store that could not get ready in time to wake it has not listed it, on a slow machine; the
     * engine would ask again, and so does this.
     */
    Claim await(LockId lock, Duration waited) {
        Claim claim = claim(lock).waiting(waited);
        for (int attempt = 0; attempt < ATTEMPTS_TO_WAIT; attempt++) {
            busy(claim);
            if (inspect(lock).waiters().stream()
                    .anyMatch(listed -> listed.owner().equals(claim.owner().value()))) {
                return claim;
            }
        }
        throw new AssertionError("The store does not list a claim that waits: " + claim);
    }

    /** The one holder that there must be. */
    LockStatus.Holder holder(LockId lock) {
        LockStatus status = inspect(lock);
        assertThat(status.holders()).as("holders of %s", lock).hasSize(1);
        return status.holders().get(0);
    }

    /** The owner ids of who waits, in the order of the list. */
    List<String> waiters(LockId lock) {
        return inspect(lock).waiters().stream().map(LockStatus.Waiter::owner).toList();
    }
}
