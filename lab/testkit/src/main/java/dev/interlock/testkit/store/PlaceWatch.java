package dev.interlock.testkit.store;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Notes how long claims that wait have not asked again. A store keeps the place of such a claim for seconds only: on a
 * machine that stands still for longer, others may come first.
 */
public final class PlaceWatch {

    /** When the last request that was answered was sent, or else the first one, for each claim that waits. */
    private final Map<OwnerId, Long> askedNanos = new ConcurrentHashMap<>();

    private final AtomicLong longestNanos = new AtomicLong();

    /** A store in front of this one, whose claims are watched. */
    public LockStore around(LockStore store) {
        return new Watched(store);
    }

    /** The longest time between two requests of a claim that waits, or since its last one: at most so long. */
    public Duration longestSilence() {
        long now = System.nanoTime();
        askedNanos.values().forEach(asked -> note(now - asked));
        return Duration.ofNanos(longestNanos.get());
    }

    private void note(long nanos) {
        longestNanos.accumulateAndGet(nanos, Math::max);
    }

    private void noteAnswer(Claim claim, Attempt attempt, long sentNanos) {
        // Null if it was released meanwhile.
        Long before = attempt instanceof Attempt.Granted
                ? askedNanos.remove(claim.owner())
                : askedNanos.replace(claim.owner(), sentNanos);
        if (before != null) {
            // The store has answered the request before when that was sent or later, and this one by now.
            note(System.nanoTime() - before);
        }
    }

    private final class Watched extends WrappedStore {

        Watched(LockStore inner) {
            super(inner);
        }

        @Override
        <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
            return request.get();
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            long sent = System.nanoTime();
            if (claim.waited() != null) {
                askedNanos.putIfAbsent(claim.owner(), sent);
            }
            CompletionStage<Attempt> attempt = super.acquire(claim);
            if (claim.waited() != null) {
                var unused = attempt.thenAccept(answer -> noteAnswer(claim, answer, sent));
            }
            return attempt;
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            askedNanos.remove(claim.owner());
            return super.release(claim);
        }
    }
}
