package dev.interlock.support;

import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All claims that this client has in a store whose server knows only sessions. It has them ended whose time is over: by
 * one timer for all, since times are mostly renewed before they end.
 *
 * <p>Every method is called on the event loop, which guards every field, except for {@link #listener} and
 * {@link #wake}.
 *
 * @param <C> the claims of the store
 */
// The annotation of null is optional for callers: see the module.
@SuppressWarnings("exports")
public final class SessionClaims<C extends SessionClaim> implements SessionClaim.Books {

    /** The least time between two sweeps: each looks at every claim. */
    private static final Duration LEAST_PAUSE = Duration.ofMillis(5);

    private final BooleanSupplier current;
    private final LongSupplier clock;
    private final Timers timers;
    private final Consumer<C> timeIsOver;
    private final Map<OwnerId, C> byOwner = new HashMap<>();
    private volatile @Nullable Consumer<Wake> listener;

    /** The next sweep, if one is scheduled. */
    private Future<?> sweep = CompletableFuture.completedFuture(null);

    private long sweepAtNanos;
    private boolean sweepScheduled;

    /** As {@link EventLoop#later}. */
    interface Timers {
        Future<?> later(Duration delay, Runnable task);
    }

    /**
     * No claims.
     *
     * @param timeIsOver ends a claim whose lease or place is over, and deletes what it has in the store
     */
    public SessionClaims(EventLoop loop, Consumer<C> timeIsOver) {
        this(loop::isCurrent, System::nanoTime, loop::later, timeIsOver);
    }

    SessionClaims(BooleanSupplier current, LongSupplier clock, Timers timers, Consumer<C> timeIsOver) {
        this.current = current;
        this.clock = clock;
        this.timers = timers;
        this.timeIsOver = timeIsOver;
    }

    /** Sets the receiver of wakes. Any thread may call it. */
    public void listener(Consumer<Wake> newListener) {
        listener = newListener;
    }

    /**
     * The claim of this owner; null if there is none. It may be lost, or have ended while its deletion is under way.
     */
    public @Nullable C of(OwnerId owner) {
        return byOwner.get(owner);
    }

    /** A copy of all claims. */
    public List<C> all() {
        return List.copyOf(byOwner.values());
    }

    /** Whether there is no claim. */
    public boolean isEmpty() {
        return byOwner.isEmpty();
    }

    /** Adds a new claim, in the place of any other of its owner. */
    public void put(C claim) {
        byOwner.put(claim.claim().owner(), claim);
    }

    /**
     * Adds a claim that enters again; it may have been removed when its session ended. Returns false if another claim
     * of its owner has taken its place.
     */
    public boolean register(C claim) {
        C known = byOwner.putIfAbsent(claim.claim().owner(), claim);
        return known == null || known == claim;
    }

    /** A session has ended, as far as this client is concerned: so have the claims that are bound to it. */
    public void sessionEnded(Predicate<C> isBoundToIt) {
        all().stream().filter(isBoundToIt).forEach(SessionClaim::sessionEnded);
    }

    // ---- what claims use

    @Override
    public boolean isCurrent() {
        return current.getAsBoolean();
    }

    @Override
    public long nanoTime() {
        return clock.getAsLong();
    }

    @Override
    public void remove(SessionClaim claim) {
        byOwner.remove(claim.claim().owner(), claim);
    }

    @Override
    public void wake(Wake wake) {
        Consumer<Wake> receiver = listener;
        if (receiver != null) {
            receiver.accept(wake);
        }
    }

    @Override
    public void sweepAt(long nanos) {
        if (!sweepScheduled || nanos - sweepAtNanos < 0) {
            if (sweepScheduled) {
                sweep.cancel(false);
            }
            sweepScheduled = true;
            sweepAtNanos = nanos;
            long pause = Math.max(LEAST_PAUSE.toNanos(), nanos - clock.getAsLong());
            sweep = timers.later(Duration.ofNanos(pause), this::sweep);
        }
    }

    private void sweep() {
        sweepScheduled = false;
        List<C> over = new ArrayList<>();
        for (C claim : byOwner.values()) {
            if (claim.isOver()) {
                over.add(claim);
            } else if (claim.isTimed()) {
                sweepAt(claim.endNanos());
            }
        }
        for (C claim : over) {
            if (claim.state() == SessionClaim.State.LOST) {
                claim.forget("it has been remembered long enough");
            } else {
                timeIsOver.accept(claim);
            }
        }
    }
}
