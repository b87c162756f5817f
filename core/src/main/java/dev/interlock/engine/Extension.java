package dev.interlock.engine;

import dev.interlock.spi.Claim;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A renewal that makes a lease last longer.
 *
 * @param before completes when the request under way that sets the lease has ended: then try again; null if there is
 *     none
 * @param renewal the claim to renew, if nothing is under way; the arbiter must be notified of the end of that request,
 *     however it ends
 * @param atNanos when the renewal counts as sent
 */
record Extension(@Nullable CompletableFuture<Void> before, Claim renewal, long atNanos) {}
