package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A client of the store under test with an identity of its own, and its verbs in blocking form. */
final class StoreClient {

    /** Long enough that it does not end during a test. */
    static final Duration LONG_LEASE = Duration.ofMinutes(5);

    private static final long ANSWER_SECONDS = 20;
    private static final int ATTEMPTS_TO_WAIT = 10;

    private final String id = UUID.randomUUID().toString();
    private final AtomicLong sequence = new AtomicLong();
    private final List<LockId> wakes = new CopyOnWriteArrayList<>();
    private final Set<OwnerId> woken = ConcurrentHashMap.newKeySet();
    private final LockStore store;
    private final Party party = new Party("host-" + id.substring(0, 8), 4711, "contract", "main");

    StoreClient(LockStore store) {
        this.store = store;
        store.onWake(this::wake);
    }

    private void wake(Wake wake) {
        OwnerId owner = wake.owner();
        if (owner != null) {
            woken.add(owner);
        }
        wakes.add(wake.id());
    }

    LockStore store() {
        return store;
    }

    Party party() {
        return party;
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

    /** A new claim of this client. */
    Claim claim(LockId lock) {
        return claim(lock, LONG_LEASE);
    }

    Claim claim(LockId lock, Duration lease) {
        return Claim.of(lock, OwnerId.of(id, sequence.incrementAndGet()), lease, party);
    }

    Attempt acquire(Claim claim) {
        return answer(store.acquire(claim));
    }

    /** Acquires a new claim that must be granted. */
    Claim hold(LockId lock) {
        return hold(lock, LONG_LEASE);
    }

    Claim hold(LockId lock, Duration lease) {
        Claim claim = claim(lock, lease);
        granted(claim);
        return claim;
    }

    /** Acquires what must be granted; its fence. */
    long granted(Claim claim) {
        Attempt attempt = acquire(claim);
        assertThat(attempt).as("acquire of %s", claim).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) attempt).fence();
    }

    /** Acquires what must be busy; when to ask again. */
    Duration busy(Claim claim) {
        Attempt attempt = acquire(claim);
        assertThat(attempt).as("acquire of %s", claim).isInstanceOf(Attempt.Busy.class);
        return ((Attempt.Busy) attempt).retryAfter();
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

    boolean release(Claim claim) {
        return answer(store.release(claim));
    }

    Map<Claim, Renewal> renew(Collection<Claim> claims) {
        return answer(store.renew(claims));
    }

    Renewal renew(Claim claim) {
        Map<Claim, Renewal> result = renew(List.of(claim));
        assertThat(result).as("renew of %s", claim).containsOnlyKeys(claim);
        return result.getOrDefault(claim, Renewal.DELETED);
    }

    LockStatus inspect(LockId lock) {
        return answer(store.inspect(lock));
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

    void close() {
        store.close();
    }

    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while the store was asked", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("The store did not answer as it should: " + e, e);
        }
    }
}
