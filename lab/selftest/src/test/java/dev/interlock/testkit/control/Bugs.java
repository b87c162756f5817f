package dev.interlock.testkit.control;

import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Stores with one bug each, of the kinds that real stores have had. */
final class Bugs {

    private Bugs() {}

    /** A repeated acquire of the same claim is busy: its first answer got lost, and now it waits for itself. */
    static final class ForgetsIdempotency extends DelegatingStore {
        private final Set<OwnerId> seen = ConcurrentHashMap.newKeySet();

        ForgetsIdempotency(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            return inner.acquire(claim)
                    .thenApply(attempt -> attempt instanceof Attempt.Granted && !seen.add(claim.owner())
                            ? Attempt.busy(Duration.ofSeconds(1))
                            : attempt);
        }
    }

    /** It never forgets a name that it has seen. */
    static final class KeepsNames extends DelegatingStore {
        private final Queue<String> names = new ConcurrentLinkedQueue<>();

        KeepsNames(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            names.add(claim.id().name());
            return inner.acquire(claim);
        }
    }

    /** Every grant has the same fence. */
    static final class RepeatsFences extends DelegatingStore {
        RepeatsFences(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            return inner.acquire(claim)
                    .thenApply(attempt -> attempt instanceof Attempt.Granted ? Attempt.granted(7) : attempt);
        }
    }

    /** Waiters are listed and never woken. */
    static final class WakesNobody extends DelegatingStore {
        WakesNobody(MemoryStore shared) {
            super(shared);
        }

        @Override
        public void onWake(Consumer<Wake> listener) {
            inner.onWake(id -> {});
        }
    }

    /** A release wakes all clients: a herd for each hand-over. */
    static final class WakesAll extends DelegatingStore {
        private static final Queue<Consumer<Wake>> ALL = new ConcurrentLinkedQueue<>();

        WakesAll(MemoryStore shared) {
            super(shared);
        }

        @Override
        public void onWake(Consumer<Wake> listener) {
            ALL.add(listener);
            inner.onWake(wake -> ALL.forEach(each -> each.accept(new Wake.Changed(wake.id(), null))));
        }
    }

    /** A release ends whatever claim stands there. */
    static final class ReleasesForAnyone extends DelegatingStore {
        ReleasesForAnyone(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            return inner.inspect(claim.id()).thenCompose(status -> {
                String owner = status.isLocked()
                        ? status.holders().get(0).owner()
                        : claim.owner().value();
                return inner.release(Claim.of(claim.id(), new OwnerId(owner), claim.lease(), claim.party()));
            });
        }
    }

    /**
     * A claim that was released without having been renewed stays, and is said to be gone: as if its client had never
     * known of it.
     */
    static final class KeepsWhatNobodySaw extends DelegatingStore {
        private final Set<OwnerId> renewed = ConcurrentHashMap.newKeySet();

        KeepsWhatNobodySaw(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
            claims.forEach(claim -> renewed.add(claim.owner()));
            return inner.renew(claims);
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            return renewed.contains(claim.owner()) ? inner.release(claim) : CompletableFuture.completedFuture(true);
        }
    }

    /** A renewal of what is gone brings it back. */
    static final class RenewalRevives extends DelegatingStore {
        RenewalRevives(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
            claims.forEach(inner::acquire);
            return inner.renew(claims);
        }
    }

    /** Everybody gets it. */
    static final class GrantsToAll extends DelegatingStore {
        private static final AtomicLong FENCES = new AtomicLong();

        GrantsToAll(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            return inner.acquire(claim).thenApply(attempt -> Attempt.granted(FENCES.incrementAndGet()));
        }
    }

    /** The store's clock runs too fast, or its unit of time is wrong. */
    static final class ExpiresEarly extends DelegatingStore {
        ExpiresEarly(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            // So early that a machine which stands still for a moment does not make it look right.
            return inner.acquire(claim.withLease(claim.lease().dividedBy(100)));
        }
    }

    /** A waiter that gives up stays on the list, and gets the wakes of others. */
    static final class KeepsWhoGaveUp extends DelegatingStore {
        KeepsWhoGaveUp(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            return inner.inspect(claim.id()).thenCompose(status -> {
                boolean waits = status.waiters().stream()
                        .anyMatch(w -> w.owner().equals(claim.owner().value()));
                return waits ? CompletableFuture.completedFuture(false) : inner.release(claim);
            });
        }
    }

    /** A claim that only tries is listed as waiting. */
    static final class ListsWhoOnlyTries extends DelegatingStore {
        ListsWhoOnlyTries(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            return inner.acquire(claim.waited() == null ? claim.waiting(Duration.ZERO) : claim);
        }
    }

    /** A replacing claim gets the lock again, and nobody else gets a turn. */
    static final class ReplacesWithoutATurn extends DelegatingStore {
        ReplacesWithoutATurn(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            OwnerId earlier = claim.replaces();
            if (earlier == null) {
                return inner.acquire(claim);
            }
            Claim plain = Claim.of(claim.id(), claim.owner(), claim.lease(), claim.party());
            return inner.release(Claim.of(claim.id(), earlier, claim.lease(), claim.party()))
                    .thenCompose(held -> inner.acquire(plain));
        }
    }

    /** The owner of a claim that was ended by force is told that it was deleted. */
    static final class ForgetsForce extends DelegatingStore {
        ForgetsForce(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            return inner.release(Claim.of(claim.id(), claim.owner(), claim.lease(), claim.party()));
        }
    }

    /** Names that differ in case are one. */
    static final class FoldsCase extends DelegatingStore {
        FoldsCase(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            LockId folded = LockId.lock(claim.id().name().toLowerCase(Locale.ROOT));
            return inner.acquire(Claim.of(folded, claim.owner(), claim.lease(), claim.party()));
        }
    }

    /** Tells fences for tokens. */
    static final class TellsFences extends DelegatingStore {
        TellsFences(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<LockStatus> inspect(LockId id) {
            return inner.inspect(id)
                    .thenApply(status -> new LockStatus(
                            status.name(),
                            status.holders().stream()
                                    .map(h -> new LockStatus.Holder(
                                            h.owner(), h.party(), h.heldFor(), h.remainingLease(), h.token() / 1024))
                                    .toList(),
                            status.waiters()));
        }
    }

    /** Takes the prefix for a pattern. */
    static final class TakesPatterns extends DelegatingStore {
        TakesPatterns(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
            String literal = prefix.replaceAll("[%*?_].*", "");
            return inner.list(literal, limit);
        }
    }

    /** Has a thread that does not end with it. */
    static final class LeavesAThread extends DelegatingStore {

        /** Longer than anybody waits for its end. */
        private static final Duration LIFE = Duration.ofSeconds(10);

        private final Thread thread = new Thread(() -> LockSupport.parkNanos(this, LIFE.toNanos()), "left-behind");

        LeavesAThread(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            }
            return inner.acquire(claim);
        }
    }

    /** Complains of its end. */
    static final class ComplainsOfItsEnd extends DelegatingStore {
        ComplainsOfItsEnd(MemoryStore shared) {
            super(shared);
        }

        @Override
        public void close() {
            System.getLogger("dev.interlock.testkit.Bugs").log(System.Logger.Level.WARNING, "closed");
            super.close();
        }
    }

    /** Throws where it should complete its stage. */
    static final class Throws extends DelegatingStore {
        private volatile boolean closed;

        Throws(MemoryStore shared) {
            super(shared);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            if (closed) {
                throw new IllegalStateException("closed");
            }
            return inner.acquire(claim);
        }

        @Override
        public void close() {
            closed = true;
            super.close();
        }
    }
}
