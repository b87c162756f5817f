package dev.interlock.annotation.spi;

import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.annotation.Locked;
import dev.interlock.spi.Log;
import dev.interlock.spi.Printable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Ends leases for callers that can do nothing about a refusal. */
final class LeaseEnd {

    private static final System.Logger LOG = Log.of(Locked.class);

    private LeaseEnd() {}

    /**
     * Ends a lease without blocking: releases it, or leaves it to lapse if that much is left of {@code atLeast}. If the
     * store refuses that, it is released.
     */
    static CompletionStage<ReleaseOutcome> quietly(Lease lease, Duration leftToLapse) {
        try {
            return leftToLapse.isZero() ? lease.releaseAsync() : lease.lapseAsync(leftToLapse);
        } catch (RuntimeException e) {
            warn(lease, e);
            return lease.releaseAsync();
        }
    }

    static void warn(Lease lease, RuntimeException cause) {
        LOG.log(
                Level.WARNING,
                "A lock could not be ended as its method wants, and is released at once: " + Printable.of(lease.name()),
                cause);
    }
}
