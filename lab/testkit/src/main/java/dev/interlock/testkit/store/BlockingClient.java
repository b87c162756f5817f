package dev.interlock.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A client of a store with an identity of its own, and its verbs in blocking form.
 *
 * <p>A store limits how long it waits for its server, and a machine may be busy for longer. The engine asks again then,
 * and so does this client. A failure that comes sooner than any such limit is a defect, and fails the test.
 */
public class BlockingClient implements AutoCloseable {

    /** Long enough that it does not end during a test. */
    public static final Duration LONG_LEASE = Duration.ofMinutes(5);

    /** A little less than the shortest limit of a store: a quorum waits half a second for each of its stores. */
    private static final Duration SHORTEST_LIMIT = Duration.ofMillis(450);

    private final String id = UUID.randomUUID().toString();
    private final AtomicLong sequence = new AtomicLong();
    private final Party party = new Party("host-" + id.substring(0, 8), 4711, "contract", "main");
    private final LockStore store;

    /** The owners that were granted their claim, until they release it. */
    private final Set<OwnerId> granted = ConcurrentHashMap.newKeySet();

    /** A new client of this store, which it closes. */
    public BlockingClient(LockStore store) {
        this.store = store;
    }

    /** The store itself. */
    public final LockStore store() {
        return store;
    }

    /** What its claims say of it. */
    public final Party party() {
        return party;
    }

    /** A new claim of this client. */
    public final Claim claim(LockId lock, Duration lease) {
        return Claim.of(lock, OwnerId.of(id, sequence.incrementAndGet()), lease, party);
    }

    /** A new claim for {@link #LONG_LEASE}. */
    public final Claim claim(LockId lock) {
        return claim(lock, LONG_LEASE);
    }

    /** A new claim of the lock of this name. */
    public final Claim claim(String name) {
        return claim(LockId.lock(name));
    }

    /** A new claim of the lock of this name. */
    public final Claim claim(String name, Duration lease) {
        return claim(LockId.lock(name), lease);
    }

    /** A new command of this client, which sets what the store remembers for {@link #LONG_LEASE}. */
    public final Command command(LockId lock, Command.Action action) {
        return command(claim(lock), action);
    }

    /** A command of the owner of this claim. */
    public static Command command(Claim claim, Command.Action action) {
        return new Command(claim.id(), action, claim.owner(), claim.lease(), claim.party());
    }

    /** Executes what must not be refused. */
    public final void executed(Command command) {
        assertThat(isExecuted(command)).as("execute %s", command).isTrue();
    }

    /** Executes what must be refused. */
    public final void refused(Command command) {
        assertThat(isExecuted(command)).as("execute %s", command).isFalse();
    }

    private boolean isExecuted(Command command) {
        return repeated(() -> store.execute(command));
    }

    /** Acquires. */
    public Attempt acquire(Claim claim) {
        Attempt attempt = repeated(() -> store.acquire(claim));
        if (attempt instanceof Attempt.Granted) {
            granted.add(claim.owner());
        }
        return attempt;
    }

    /** Acquires; whether it was granted. */
    public final boolean isGranted(Claim claim) {
        return acquire(claim) instanceof Attempt.Granted;
    }

    /** Acquires what must be granted; its fence. */
    public final long granted(Claim claim) {
        Attempt attempt = acquire(claim);
        assertThat(attempt).as("acquire of %s", claim).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) attempt).fence();
    }

    /** Acquires what must be busy; when to ask again. */
    public final Duration busy(Claim claim) {
        Attempt attempt = acquire(claim);
        assertThat(attempt).as("acquire of %s", claim).isInstanceOf(Attempt.Busy.class);
        return ((Attempt.Busy) attempt).retryAfter();
    }

    /** Acquires a new claim that must be granted. */
    public final Claim hold(LockId lock, Duration lease) {
        Claim claim = claim(lock, lease);
        granted(claim);
        return claim;
    }

    /** Acquires a new claim that must be granted, for {@link #LONG_LEASE}. */
    public final Claim hold(LockId lock) {
        return hold(lock, LONG_LEASE);
    }

    /** Acquires a new claim of the lock of this name, which must be granted. */
    public final Claim hold(String name) {
        return hold(LockId.lock(name));
    }

    /** Acquires a new claim that waits, for so long already, and must be busy. */
    public final Claim await(String name, Duration waited) {
        Claim claim = claim(name).waiting(waited);
        busy(claim);
        return claim;
    }

    /**
     * Releases; whether it held. A request that the store gave up may have released the claim: then it held if it had
     * been granted to this client.
     */
    public final boolean release(Claim claim) {
        AtomicInteger requests = new AtomicInteger();
        boolean held = repeated(() -> {
            requests.incrementAndGet();
            return store.release(claim);
        });
        boolean wasGranted = granted.remove(claim.owner());
        return held || (requests.get() > 1 && wasGranted);
    }

    /** Renews. */
    public final Map<Claim, Renewal> renew(Collection<Claim> claims) {
        return repeated(() -> store.renew(claims));
    }

    /** Renews one claim, of which alone the answer must be. */
    public final Renewal renew(Claim claim) {
        Map<Claim, Renewal> result = renew(List.of(claim));
        assertThat(result).as("renew of %s", claim).containsOnlyKeys(claim);
        return Objects.requireNonNull(result.get(claim));
    }

    /** Who holds and who waits. */
    public final LockStatus inspect(LockId lock) {
        return repeated(() -> store.inspect(lock));
    }

    /** Who holds the lock of this name, and who waits for it. */
    public final LockStatus inspect(String name) {
        return inspect(LockId.lock(name));
    }

    @Override
    public void close() {
        store.close();
    }

    /** What the request is answered, which is repeated if the store gives it up because of its own time limit. */
    public static <T> T repeated(Supplier<CompletionStage<T>> request) {
        long begun = System.nanoTime();
        while (true) {
            long sent = System.nanoTime();
            try {
                return outcome(request.get());
            } catch (ExecutionException e) {
                long now = System.nanoTime();
                Throwable cause = e.getCause();
                // PostgreSQL's driver asserts that a connection is open that it has just given up.
                boolean failed = cause instanceof RuntimeException
                        || cause instanceof TimeoutException
                        || cause instanceof AssertionError;
                boolean overTime = failed
                        && now - sent >= SHORTEST_LIMIT.toNanos()
                        && now - begun < Patience.limit().toNanos();
                if (!overTime) {
                    throw unexpected(e);
                }
            }
        }
    }

    /** What the stage completes with, which it must. */
    public static <T> T answer(CompletionStage<T> stage) {
        try {
            return outcome(stage);
        } catch (ExecutionException e) {
            throw unexpected(e);
        }
    }

    private static AssertionError unexpected(ExecutionException e) {
        return new AssertionError("The store did not answer as it should: " + e, e);
    }

    /** What the stage fails with, which it must. */
    public static Throwable failure(CompletionStage<?> stage) {
        try {
            throw new AssertionError("The verb succeeded: " + outcome(stage));
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    private static <T> T outcome(CompletionStage<T> stage) throws ExecutionException {
        try {
            return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while the store was asked", e);
        } catch (TimeoutException e) {
            throw new AssertionError("The store did not answer in time", e);
        }
    }
}
