package dev.interlock.engine;

import dev.interlock.spi.Claim;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A renewal that makes a lease last longer. */
final class Extension {

    /** Completes when the request under way that sets the lease has ended: then try again; null if there is none. */
    final @Nullable CompletableFuture<Void> before;

    /**
     * The claim to renew, if nothing is under way; the arbiter must be notified of the end of that request, however it
     * ends.
     */
    final Claim renewal;

    /** When the renewal counts as sent. */
    final long atNanos;

    Extension(@Nullable CompletableFuture<Void> before, Claim renewal, long atNanos) {
        this.before = before;
        this.renewal = renewal;
        this.atNanos = atNanos;
    }
}
