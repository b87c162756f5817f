package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Withdrawable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The answer to a renewal of any number of claims, of which the worker renews a part at a time. A caller that cancels
 * it receives what has been renewed by then, and the parts that have not begun never do: where each part takes its
 * time, a large renewal makes progress all the same. Thread-safe.
 */
final class RenewalAnswer extends CompletableFuture<Map<Claim, Renewal>> implements Withdrawable {

    private final List<QueuedAnswer<Map<Claim, Renewal>>> parts;
    private final Map<Claim, Renewal> known = new ConcurrentHashMap<>();

    /** @param parts in the order in which they run */
    RenewalAnswer(List<QueuedAnswer<Map<Claim, Renewal>>> parts) {
        this.parts = List.copyOf(parts);
        CompletableFuture<?>[] taken =
                this.parts.stream().map(part -> part.thenAccept(known::putAll)).toArray(CompletableFuture[]::new);
        var unused = CompletableFuture.allOf(taken).whenComplete((none, failure) -> {
            if (failure != null && known.isEmpty()) {
                completeExceptionally(Objects.requireNonNull(LockStore.causeOf(failure)));
            } else {
                complete(Map.copyOf(known));
            }
        });
    }

    /** Whether the next part waits for its turn. */
    @Override
    public boolean isInLine() {
        return parts.stream()
                .filter(part -> !part.isDone())
                .findFirst()
                .map(QueuedAnswer::isInLine)
                .orElse(false);
    }

    @Override
    public boolean withdraw() {
        cancel(false);
        return parts.stream().allMatch(QueuedAnswer::isCancelled);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled =
                known.isEmpty() ? super.cancel(mayInterrupt) : !complete(Map.copyOf(known)) && isCancelled();
        // Only now: the last part would complete this future with its own cancellation.
        parts.forEach(part -> part.cancel(mayInterrupt));
        return cancelled;
    }
}
