package dev.interlock.zookeeper;

import java.util.concurrent.CompletableFuture;

/**
 * What a request of a waiting caller has found at a barrier.
 *
 * @param isOver whether the wait is over
 * @param change completes when it is worth looking again
 */
record BarrierView(boolean isOver, CompletableFuture<Boolean> change) {}
