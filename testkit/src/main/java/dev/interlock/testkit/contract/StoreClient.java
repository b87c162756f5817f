package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A client of the store under test that keeps the wakes it is told of, and looks closely at what the store lists. */
final class StoreClient extends BlockingClient {

    /** A store can wake a client after this time at the latest. */
    private static final Duration UNHEARD = Patience.FULL;

    /** The longest sleep of the engine, if nobody says otherwise. */
    private static final Duration POLL_CAP = Duration.ofSeconds(1);

    private final List<LockId> wakes = new CopyOnWriteArrayList<>();
    private final Set<OwnerId> woken = ConcurrentHashMap.newKeySet();

    /** Whether the store says who waits. */
    private final boolean lists;

    /** The names for which the store has listed a claim of this client. */
    private final Set<LockId> heard = ConcurrentHashMap.newKeySet();

    /** Whether that goes for all names. */
    private volatile boolean heardOfAll;

    StoreClient(LockStore store, boolean lists) {
        super(store);
        this.lists = lists;
        store.onWake(this::wake);
    }

    /** Both at once: a claim that asks again as it sees the one must not be told of the other when it is listed. */
    private synchronized void wake(Wake wake) {
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
    synchronized boolean isWoken(Claim claim) {
        return woken.contains(claim.owner()) || (woken.isEmpty() && wakes.contains(claim.id()));
    }

    synchronized void forgetWakes() {
        woken.clear();
        wakes.clear();
    }

    /**
     * Acquires. A store that cannot wake this client yet has not listed a claim that waits; the engine would ask again,
     * and so does this, when it is woken.
     */
    @Override
    public Attempt acquire(Claim claim) {
        boolean unheard = lists && claim.waited() != null && !heardOfAll && !heard.contains(claim.id());
        if (unheard && claim.replaces() != null) {
            // What it holds until then is not free, so another claim of this client can find out beforehand.
            Claim other = claim(claim.id()).inMode(claim.mode()).waiting(Duration.ZERO);
            acquire(other);
            release(other);
        }
        Attempt attempt = super.acquire(claim);
        return unheard && attempt instanceof Attempt.Busy ? untilListed(claim, attempt) : attempt;
    }

    /**
     * Waits once, on a name that nobody else uses, so that the store can wake this client from then on, whatever the
     * name: with one server it can.
     */
    void getHeard(LockId unused) {
        Claim held = hold(unused);
        release(await(unused, Duration.ZERO));
        release(held);
        heardOfAll = true;
    }

    private Attempt untilListed(Claim claim, Attempt first) {
        long end = System.nanoTime() + UNHEARD.toNanos();
        Attempt last = first;
        while (last instanceof Attempt.Busy) {
            if (isListed(claim)) {
                heard.add(claim.id());
                return last;
            }
            assertThat(System.nanoTime() - end)
                    .as("asked again and again, and the store does not list " + claim)
                    .isNegative();
            pause(claim);
            forgetWakes();
            last = super.acquire(claim);
        }
        return last;
    }

    /**
     * Until it is woken, or as long as the engine would at most: it may also have been listed, and have left the list
     * since it is its turn, of which not every store tells. Not as short as the store advises: the wake that it can be
     * listed now would come when it has been.
     */
    private void pause(Claim claim) {
        long again = System.nanoTime() + POLL_CAP.toNanos();
        Awaitility.await("asking again for " + claim)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> isWoken(claim) || System.nanoTime() - again >= 0);
    }

    /** In some stores a claim holds as soon as it is its turn. */
    private boolean isListed(Claim claim) {
        String owner = claim.owner().value();
        LockStatus status = inspect(claim.id());
        return status.waiters().stream().anyMatch(waiter -> waiter.owner().equals(owner))
                || status.holders().stream().anyMatch(holder -> holder.owner().equals(owner));
    }

    /** Lists a new claim as waiting, for so long already, behind a holder. */
    Claim await(LockId lock, Duration waited) {
        Claim claim = claim(lock).waiting(waited);
        busy(claim);
        return claim;
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
