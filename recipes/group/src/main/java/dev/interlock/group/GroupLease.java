package dev.interlock.group;

import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Printable;
import dev.interlock.spi.WorkLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The leases of all members as one, valid as long as all of them are. Thread-safe. */
final class GroupLease implements WorkLease {

    private final String name;
    private final List<Lease> members;

    /** Those of the members that end with the release; the others go on. */
    private final List<Lease> released;

    /**
     * Null while the lease is held; then the outcome of a repeated release, which is a loss if the first one found it.
     */
    private final AtomicReference<@Nullable ReleaseOutcome> repeated = new AtomicReference<>();

    GroupLease(String name, List<Lease> members) {
        this(name, members, members);
    }

    GroupLease(String name, List<Lease> members, List<Lease> released) {
        this.name = name;
        this.members = List.copyOf(members);
        this.released = List.copyOf(released);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long token() {
        return members.stream().mapToLong(Lease::token).max().orElseThrow();
    }

    @Override
    public long token(String memberName) {
        for (Lease member : members) {
            if (member.name().equals(memberName)) {
                return member.token();
            }
        }
        if (memberName.equals(name)) {
            return token();
        }
        throw new IllegalArgumentException("This is a lease of " + Printable.of(name) + ", which has no member '"
                + Printable.of(memberName) + "'");
    }

    @Override
    public boolean isValid() {
        return !isReleased() && members.stream().allMatch(Lease::isValid);
    }

    @Override
    public Duration remaining() {
        if (!isValid()) {
            return Duration.ZERO;
        }
        return members.stream().map(Lease::remaining).min(Duration::compareTo).orElseThrow();
    }

    @Override
    public void ensureValid() {
        ReleaseOutcome released = repeated.get();
        if (released != null && released.isLost()) {
            throw loss();
        }
        if (released != null) {
            throw new IllegalStateException(
                    "The lease of " + Printable.of(name) + " was released before; acquire a new one");
        }
        members.forEach(Lease::ensureValid);
    }

    /** The loss of the first member that was lost. The others are released. */
    private RuntimeException loss() {
        RuntimeException last = null;
        for (Lease member : members) {
            try {
                member.ensureValid();
            } catch (LockLostException e) {
                return e;
            } catch (IllegalStateException e) {
                last = e;
            }
        }
        return Objects.requireNonNull(last);
    }

    /** The leases of the members, in the order of these. */
    List<Lease> members() {
        return members;
    }

    @Override
    public void extend(Duration length) {
        ensureValid();
        try {
            Leases.extend(members, length).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Under those of all members; it is over with the first of them. */
    @Override
    public @Nullable Work begin(Place place, @Nullable Consumer<@Nullable LossCause> whenOver) {
        AtomicBoolean called = new AtomicBoolean();
        List<Work> begun = new ArrayList<>();
        Work all = () -> begun.forEach(Work::close);
        for (Lease member : members) {
            Consumer<@Nullable LossCause> once = cause -> {
                if (whenOver != null && called.compareAndSet(false, true)) {
                    whenOver.accept(cause);
                }
            };
            Work work = ((WorkLease) member).begin(place, whenOver == null ? null : once);
            if (work == null) {
                // What has not begun is told of no end, although the members before this one go on.
                called.set(true);
                all.close();
                return null;
            }
            begun.add(work);
        }
        return all;
    }

    @Override
    public void onLost(Consumer<LossCause> callback) {
        AtomicBoolean called = new AtomicBoolean();
        for (Lease member : members) {
            member.onLost(cause -> {
                // The first loss wins. A member that is released is never lost; one that goes on may be.
                if ((released.contains(member) || !isReleased()) && called.compareAndSet(false, true)) {
                    callback.accept(cause);
                }
            });
        }
    }

    @Override
    public void onRevocationRequested(Runnable callback) {
        AtomicBoolean called = new AtomicBoolean();
        for (Lease member : members) {
            member.onRevocationRequested(() -> {
                // The first request wins: the members are released together.
                if (called.compareAndSet(false, true)) {
                    callback.run();
                }
            });
        }
    }

    @Override
    public ReleaseOutcome release() {
        ReleaseOutcome before = beginRelease();
        return before == null ? remember(Leases.release(released)) : before;
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        ReleaseOutcome before = beginRelease();
        return before == null
                ? Leases.releaseAsync(released, this::remember)
                : CompletableFuture.completedFuture(before);
    }

    @Override
    public ReleaseOutcome lapse(Duration after) {
        return lapseAsync(after).toCompletableFuture().join();
    }

    /** If the first member refuses, nothing has changed; if another one does, it and those after it are released. */
    @Override
    public CompletionStage<ReleaseOutcome> lapseAsync(Duration after) {
        ReleaseOutcome done = repeated.get();
        if (done != null) {
            return CompletableFuture.completedFuture(done);
        }
        CompletionStage<ReleaseOutcome> first = released.get(0).lapseAsync(after);
        ReleaseOutcome before = beginRelease();
        return before == null
                ? Leases.lapseAsync(first, released.subList(1, released.size()), after, this::remember)
                : CompletableFuture.completedFuture(before);
    }

    private boolean isReleased() {
        return repeated.get() != null;
    }

    /** Null for the one caller that has to release the members; else the outcome of a repeated release. */
    private @Nullable ReleaseOutcome beginRelease() {
        return repeated.compareAndExchange(null, ReleaseOutcome.ALREADY_RELEASED);
    }

    private ReleaseOutcome remember(ReleaseOutcome outcome) {
        if (outcome.isLost()) {
            repeated.set(outcome);
        }
        return outcome;
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "Lease[name=" + Printable.of(name) + ", token=" + token() + ", valid=" + isValid() + "]";
    }
}
