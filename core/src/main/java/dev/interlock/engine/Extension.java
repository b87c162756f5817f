package dev.interlock.engine;

import dev.interlock.spi.Claim;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The wish to make a lease last longer.
 *
 * @param before done when the request has ended that is under way and sets the lease, too: then look again; null if
 *     there is none
 * @param renewal what is to be sent, if nothing is under way; how that ends has to be told to the arbiter, whatever it
 *     is
 * @param atNanos when it counts as sent
 */
record Extension(@Nullable CompletableFuture<Void> before, Claim renewal, long atNanos) {}
