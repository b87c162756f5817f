package dev.interlock.jdbc;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A client of a store with an owner id of its own, and the verbs in blocking form. */
final class Client implements AutoCloseable {

    static final Duration LONG = Duration.ofMinutes(5);

    final JdbcStore store;
    private final String id = UUID.randomUUID().toString();
    private long sequence;

    Client(Path file) {
        this(JdbcStore.sqlite(file));
    }

    Client(JdbcStore store) {
        this.store = store;
    }

    Claim claim(String name) {
        return claim(name, LONG);
    }

    Claim claim(String name, Duration lease) {
        Party party = new Party("here", ProcessHandle.current().pid(), "test", "main");
        return Claim.of(LockId.lock(name), OwnerId.of(id, ++sequence), lease, party);
    }

    Attempt acquire(Claim claim) {
        return answer(store.acquire(claim));
    }

    boolean isGranted(Claim claim) {
        return acquire(claim) instanceof Attempt.Granted;
    }

    /** The fence of what must be granted. */
    long fence(Claim claim) {
        Attempt attempt = acquire(claim);
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

    /** Asks as the engine does until granted: again when the answer says so. */
    long lock(Claim claim) throws InterruptedException {
        long start = System.nanoTime();
        Claim asking = claim.waiting(Duration.ZERO);
        while (true) {
            Attempt attempt = acquire(asking);
            if (attempt instanceof Attempt.Granted granted) {
                return granted.fence();
            }
            TimeUnit.NANOSECONDS.sleep(((Attempt.Busy) attempt).retryAfter().toNanos());
            asking = claim.waiting(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    @Override
    public void close() {
        store.close();
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** The first line of what went wrong. */
    static Throwable failure(CompletionStage<?> stage) {
        try {
            answer(stage);
        } catch (java.util.concurrent.CompletionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("The verb succeeded");
    }
}
