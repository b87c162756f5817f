package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.interlock.Party;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.BlockingClient;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A store under test with its verbs in blocking form, and an identity. */
public final class Probe implements AutoCloseable {

    public static final Duration LEASE = Duration.ofMinutes(5);
    public static final Party PARTY = new Party("here", 4711, "probe", "main");

    /** The longest sleep of the engine, if nobody says otherwise. */
    private static final Duration POLL_CAP = Duration.ofSeconds(1);

    public final String id = UUID.randomUUID().toString();
    public final RedisStore store;
    public final List<LockId> wakes = new CopyOnWriteArrayList<>();
    private final AtomicLong sequence = new AtomicLong();

    public Probe(RedisStore store) {
        this.store = store;
        store.onWake(wake -> wakes.add(wake.id()));
    }

    public Probe(String uri) {
        this(RedisStore.at(uri));
    }

    public Claim claim(String name) {
        return Claim.of(LockId.lock(name), OwnerId.of(id, sequence.incrementAndGet()), LEASE, PARTY);
    }

    public Claim claim(String name, LockKind kind, Mode mode) {
        return Claim.of(new LockId(name, kind), mode, OwnerId.of(id, sequence.incrementAndGet()), LEASE, PARTY);
    }

    /** A new command on the semaphore or the latch of this name. */
    public Command command(String name, Command.Action action) {
        boolean isOfLatch = action instanceof Command.SetCount || action instanceof Command.CountDown;
        LockId lock = new LockId(name, isOfLatch ? LockKind.LATCH : LockKind.SEMAPHORE);
        return new Command(lock, action, OwnerId.of(id, sequence.incrementAndGet()), LEASE, PARTY);
    }

    public void executed(Command command) {
        assertThat(BlockingClient.repeated(() -> store.execute(command)))
                .as("execute %s", command)
                .isTrue();
    }

    public long granted(Claim claim) {
        Attempt attempt = BlockingClient.repeated(() -> store.acquire(claim));
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) attempt).fence();
    }

    /**
     * When to ask again. A claim that waits asks until it is listed, as the engine would: at first its client cannot be
     * woken.
     */
    public Duration busy(Claim claim) {
        Duration retryAfter = refused(claim);
        long begun = System.nanoTime();
        while (claim.waited() != null && !isListed(claim)) {
            assertThat(System.nanoTime() - begun)
                    .as("ns asked, and this does not wait: " + claim)
                    .isLessThan(Patience.limit().toNanos());
            pause(claim);
            retryAfter = refused(claim);
        }
        return retryAfter;
    }

    /** Until it is woken, or as long as the engine would at most: on a busy machine a subscription may fail. */
    private void pause(Claim claim) {
        long again = System.nanoTime() + POLL_CAP.toNanos();
        await("a wake for the sake of being listed")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> wakes.remove(claim.id()) || System.nanoTime() - again >= 0);
    }

    private boolean isListed(Claim claim) {
        return BlockingClient.repeated(() -> store.inspect(claim.id())).waiters().stream()
                .anyMatch(waiter -> waiter.owner().equals(claim.owner().value()));
    }

    /** Asks once; when to ask again. */
    public Duration refused(Claim claim) {
        Attempt attempt = BlockingClient.repeated(() -> store.acquire(claim));
        assertThat(attempt).isInstanceOf(Attempt.Busy.class);
        return ((Attempt.Busy) attempt).retryAfter();
    }

    public Claim hold(String name) {
        Claim claim = claim(name);
        granted(claim);
        return claim;
    }

    public boolean release(Claim claim) {
        return answer(store.release(claim));
    }

    public Renewal renew(Claim claim) {
        return BlockingClient.repeated(() -> store.renew(List.of(claim))).getOrDefault(claim, Renewal.DELETED);
    }

    public static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(5, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError("The store did not answer: " + e, e);
        }
    }

    /** The failure of the stage. */
    public static Throwable failure(CompletionStage<?> stage) {
        Throwable thrown = catchThrowable(() -> stage.toCompletableFuture().get(5, TimeUnit.MINUTES));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        return Objects.requireNonNull(thrown.getCause());
    }

    /** Why a request is refused. It is repeated if it took as long as a connection may: that may be the reason. */
    public static Throwable refusal(Supplier<CompletionStage<?>> request) {
        long begun = System.nanoTime();
        while (true) {
            long asked = System.nanoTime();
            Throwable failure = failure(request.get());
            long now = System.nanoTime();
            if (now - asked < DedicatedClient.CONNECT_TIMEOUT.toNanos()
                    || now - begun >= Patience.limit().toNanos()) {
                return failure;
            }
        }
    }

    /** What a client of Lettuce closes at its end: so long it keeps each of these. */
    public static Collection<?> kept(RedisClient client) {
        try {
            Field field = AbstractRedisClient.class.getDeclaredField("closeableResources");
            field.setAccessible(true);
            return (Collection<?>) field.get(client);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
