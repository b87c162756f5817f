package dev.interlock.group;

import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The leases of all members as one: valid as long as all of them are. Thread-safe. */
final class GroupLease implements Lease {

    private final String name;
    private final List<Lease> members;
    private final long acquiredNanos = System.nanoTime();
    private final AtomicBoolean released = new AtomicBoolean();

    /** What the first release came to, for later ones; null before. */
    private volatile @Nullable ReleaseOutcome outcome;

    GroupLease(String name, List<Lease> members) {
        this.name = name;
        this.members = List.copyOf(members);
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
        throw new IllegalArgumentException("This is a lease of " + name + ", which has no member '" + memberName + "'");
    }

    @Override
    public boolean isValid() {
        return !released.get() && members.stream().allMatch(Lease::isValid);
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
        if (released.get()) {
            throw new IllegalStateException("The lease of " + name + " was released before; acquire a new one");
        }
        members.forEach(Lease::ensureValid);
    }

    /** Throws if a member was lost, and not if it was released, as the closing of the client does. */
    void ensureNotLost() {
        for (Lease member : members) {
            try {
                member.ensureValid();
            } catch (IllegalStateException e) {
                // Released: nothing is left to be done for it.
            }
        }
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

    @Override
    public void onLost(Consumer<LossCause> callback) {
        AtomicBoolean told = new AtomicBoolean();
        for (Lease member : members) {
            member.onLost(cause -> {
                // The first of the members wins. A member that is released is never lost.
                if (told.compareAndSet(false, true)) {
                    callback.accept(cause);
                }
            });
        }
    }

    @Override
    public void onRevocationRequested(Runnable callback) {
        AtomicBoolean told = new AtomicBoolean();
        for (Lease member : members) {
            member.onRevocationRequested(() -> {
                // Whichever of the members is asked for first: they are released together.
                if (told.compareAndSet(false, true)) {
                    callback.run();
                }
            });
        }
    }

    @Override
    public ReleaseOutcome release() {
        if (!released.compareAndSet(false, true)) {
            return outcomeOfRepeatedRelease();
        }
        ReleaseOutcome sum = Leases.release(members);
        outcome = sum;
        return sum;
    }

    @Override
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        if (!released.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(outcomeOfRepeatedRelease());
        }
        return Leases.releaseAsync(members, sum -> outcome = sum);
    }

    private ReleaseOutcome outcomeOfRepeatedRelease() {
        ReleaseOutcome first = outcome;
        return first != null && first.isLost() ? first : ReleaseOutcome.ALREADY_RELEASED;
    }

    @Override
    public void close() {
        release();
    }

    /**
     * Releases, for a thread that unlocks.
     *
     * @throws LockLostException if a member had been lost
     */
    void unlock() {
        LockLostException loss = firstLoss();
        ReleaseOutcome sum = release();
        if (loss != null) {
            throw loss;
        }
        LossCause cause = sum.lossCause();
        if (cause != null) {
            // Only the store's answer to the release told: since when is not known here.
            Duration held = Duration.ofNanos(System.nanoTime() - acquiredNanos);
            throw new LockLostException(name, "unknown", token(), cause, held, held, Duration.ZERO);
        }
    }

    /** The loss that comes first in the order of the members; null if there is none. */
    private @Nullable LockLostException firstLoss() {
        LockLostException first = null;
        for (Lease member : members) {
            try {
                member.ensureValid();
            } catch (LockLostException e) {
                first = first == null ? e : first;
            } catch (IllegalStateException e) {
                // Released by the closing of its client, which is no loss.
            }
        }
        return first;
    }

    @Override
    public String toString() {
        return "Lease[name=" + name + ", token=" + token() + ", valid=" + isValid() + "]";
    }
}
