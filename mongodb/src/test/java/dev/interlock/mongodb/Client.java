package dev.interlock.mongodb;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A client of a store with an owner id of its own, and the verbs in blocking form. */
final class Client implements AutoCloseable {

    static final Duration LEASE = Duration.ofMinutes(5);

    final MongoStore store;
    private final String id = UUID.randomUUID().toString();
    private long sequence;

    Client(MongoStore store) {
        this.store = store;
    }

    Claim claim(LockId lock, Duration lease) {
        Party party = new Party("here", ProcessHandle.current().pid(), "test", "main");
        return Claim.of(lock, OwnerId.of(id, ++sequence), lease, party);
    }

    Claim claim(String name) {
        return claim(LockId.lock(name), LEASE);
    }

    boolean isGranted(Claim claim) {
        return answer(store.acquire(claim)) instanceof Attempt.Granted;
    }

    /** The fence of what must be granted. */
    long fence(Claim claim) {
        Attempt attempt = answer(store.acquire(claim));
        if (attempt instanceof Attempt.Granted granted) {
            return granted.fence();
        }
        throw new AssertionError("Not granted: " + claim);
    }

    /** A new claim that is held. */
    Claim hold(String name) {
        Claim claim = claim(name);
        fence(claim);
        return claim;
    }

    /** A new claim that is listed as waiting, for so long already. */
    Claim await(String name, Duration waited) {
        Claim claim = claim(name).waiting(waited);
        if (isGranted(claim)) {
            throw new AssertionError("Granted: " + claim);
        }
        return claim;
    }

    boolean release(Claim claim) {
        return answer(store.release(claim));
    }

    Renewal renew(Claim claim) {
        Map<Claim, Renewal> result = answer(store.renew(List.of(claim)));
        return Objects.requireNonNull(result.get(claim));
    }

    LockStatus inspect(String name) {
        return answer(store.inspect(LockId.lock(name)));
    }

    @Override
    public void close() {
        store.close();
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** What went wrong. */
    static Throwable failure(CompletionStage<?> stage) {
        try {
            answer(stage);
        } catch (CompletionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("The verb succeeded");
    }
}
