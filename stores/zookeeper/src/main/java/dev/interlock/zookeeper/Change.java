package dev.interlock.zookeeper;

import java.util.concurrent.CompletableFuture;

/** What a caller waits for before it looks again. It proves nothing. Guarded by the event loop. */
final class Change {

    private CompletableFuture<Boolean> next = new CompletableFuture<>();

    /** Completes with the next signal. */
    CompletableFuture<Boolean> next() {
        return next;
    }

    void signal() {
        CompletableFuture<Boolean> now = next;
        next = new CompletableFuture<>();
        now.complete(true);
    }
}
