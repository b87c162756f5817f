package dev.interlock.quorum;

import dev.interlock.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The clock of a quorum, its random numbers, and the threads of what it does later. Thread-safe. */
interface QuorumTime {

    /** Those of the JVM. */
    QuorumTime SYSTEM = new SystemTime();

    /** The time, as of {@link System#nanoTime}. */
    long nanoTime();

    /** A random number, at least {@code from} and below {@code to}. */
    long random(long from, long to);

    /** An executor that delays each task by this time. */
    Executor delayed(long nanos);

    /** Fails the future with a {@link java.util.concurrent.TimeoutException} if it is not complete in time. */
    <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration timeout);

    /** An executor that delays each task by a random time, from half of this duration to all of it. */
    default Executor upTo(Duration max) {
        return delayed(random(max.toNanos() / 2, max.toNanos() + 1));
    }

    /** The response, if it arrives in time; otherwise the request is cancelled, so that its store forgets it. */
    default <T> CompletableFuture<T> within(Duration timeout, CompletionStage<T> sent) {
        CompletableFuture<T> request = sent.toCompletableFuture();
        if (request.isDone()) {
            return request;
        }
        CompletableFuture<T> response = orTimeout(request.copy(), timeout);
        var unused = response.whenComplete((value, failure) -> {
            if (failure != null) {
                request.cancel(false);
            }
        });
        return response;
    }

    /**
     * Real time. Tasks do not run on the common pool: an application may fill that with threads that wait for a lock,
     * and the task that frees the lock would be queued behind them.
     */
    final class SystemTime implements QuorumTime {

        private static final Executor THREADS = DaemonThreads.pool("interlock-quorum");

        private SystemTime() {}

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long random(long from, long to) {
            return ThreadLocalRandom.current().nextLong(from, to);
        }

        @Override
        public Executor delayed(long nanos) {
            return CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, THREADS);
        }

        @Override
        public <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration timeout) {
            return future.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
        }
    }
}
