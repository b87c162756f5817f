package dev.interlock.barrier;

import dev.interlock.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for what the engine acquires, and looks meanwhile whether it is still wanted. */
final class Stages {

    private Stages() {}

    /**
     * Waits for a lease.
     *
     * @param look how long to wait before each question
     * @param wanted whether to go on waiting
     * @return null if it was refused, or is wanted no more
     */
    static @Nullable Lease await(CompletableFuture<Optional<Lease>> asked, Duration look, BooleanSupplier wanted)
            throws InterruptedException {
        boolean taken = false;
        try {
            while (true) {
                try {
                    Lease lease =
                            asked.get(look.toNanos(), TimeUnit.NANOSECONDS).orElse(null);
                    taken = true;
                    return lease;
                } catch (TimeoutException e) {
                    if (!wanted.getAsBoolean()) {
                        return null;
                    }
                }
            }
        } catch (ExecutionException e) {
            throw unchecked(e);
        } finally {
            if (!taken) {
                giveUp(asked);
            }
        }
    }

    /** If it was granted before, nobody else gives it back. */
    private static void giveUp(CompletableFuture<Optional<Lease>> asked) {
        if (!asked.cancel(false) && !asked.isCompletedExceptionally()) {
            asked.join().ifPresent(Lease::releaseAsync);
        }
    }

    /** What a stage of the engine has failed with. */
    static RuntimeException unchecked(ExecutionException failure) {
        if (failure.getCause() instanceof RuntimeException cause) {
            return cause;
        }
        return new IllegalStateException("A stage failed in a way that the engine never fails", failure);
    }
}
