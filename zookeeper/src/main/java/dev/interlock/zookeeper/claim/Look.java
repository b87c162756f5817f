package dev.interlock.zookeeper.claim;

import java.util.concurrent.CompletableFuture;

/**
 * What somebody has seen who waits at a barrier.
 *
 * @param isOver whether the wait is over
 * @param change completes when it is worth looking again
 */
public record Look(boolean isOver, CompletableFuture<Boolean> change) {}
