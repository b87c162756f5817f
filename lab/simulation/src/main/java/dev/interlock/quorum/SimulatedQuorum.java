package dev.interlock.quorum;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.NullMarked;

/** A quorum without a thread, on a clock of somebody else. */
@NullMarked
public final class SimulatedQuorum {

    private SimulatedQuorum() {}

    /** The threads of the client. */
    public interface Threads {

        /** One of them does this after a time. */
        void runAfter(long nanos, Runnable task);
    }

    /** A quorum of these stores. */
    public static QuorumStore over(
            List<? extends LockStore> stores,
            Duration timeout,
            LongSupplier clock,
            RandomGenerator random,
            Threads threads) {
        return QuorumStore.over(stores, timeout, new QuorumTime() {
            @Override
            public long nanoTime() {
                return clock.getAsLong();
            }

            @Override
            public long random(long from, long to) {
                return from + random.nextLong(to - from);
            }

            @Override
            public Executor delayed(long nanos) {
                return task -> threads.runAfter(nanos, task);
            }

            @Override
            public <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration timeout) {
                threads.runAfter(timeout.toNanos(), () -> future.completeExceptionally(new TimeoutException()));
                return future;
            }
        });
    }

    /** The owner of an acquisition, from its owner in a store. */
    public static OwnerId ownerOf(OwnerId inStore) {
        return Owners.ofQuorum(inStore);
    }
}
