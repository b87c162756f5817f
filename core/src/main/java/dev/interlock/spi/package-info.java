/**
 * The interface that a store implements: six asynchronous verbs ({@link dev.interlock.spi.LockStore}), and a provider
 * that opens it from a URI ({@link dev.interlock.spi.LockStoreProvider}). The engine sends
 * {@link dev.interlock.spi.Claim}s, which hold, and {@link dev.interlock.spi.Command}s, which act. The store answers
 * with {@link dev.interlock.spi.Attempt}s, {@link dev.interlock.spi.Renewal}s and {@link dev.interlock.spi.Wake}s.
 * Threads, queues, renewal and loss exist once, in the engine; this package knows nothing of it. A store that decides
 * in Java uses the rules of {@code dev.interlock.support.rules}, which are in {@code interlock-store-support}.
 */
@NullMarked
package dev.interlock.spi;

import org.jspecify.annotations.NullMarked;
