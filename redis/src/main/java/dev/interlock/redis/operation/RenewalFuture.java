package dev.interlock.redis.operation;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Reply;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers of all servers to one renewal. Whoever gives up waiting for the last of them gets those that have come: a
 * server that stands still costs the claims on others nothing.
 */
final class RenewalFuture extends CompletableFuture<Map<Claim, Renewal>> {

    private final Map<Claim, Renewal> known = new ConcurrentHashMap<>();
    private final Queue<Command<?>> calls = new ConcurrentLinkedQueue<>();

    /** Calls that have not been answered, and one as long as more may follow. */
    private final AtomicInteger open = new AtomicInteger(1);

    private volatile @Nullable Throwable failure;

    /** Sends a call and hands its answer on, which may ask further. */
    void send(PlainScriptCommand call, Consumer<Command<?>> sender, Consumer<Reply> taker) {
        open.incrementAndGet();
        calls.add(call);
        var unused = call.handle((reply, problem) -> {
            try {
                if (reply == null) {
                    failure = problem;
                } else {
                    taker.accept(reply);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
            replied();
            return reply;
        });
        sender.accept(call);
    }

    void put(Claim claim, Renewal renewal) {
        known.put(claim, renewal);
    }

    /** Nothing more is asked, but by those who take answers. */
    void allSent() {
        replied();
    }

    private void replied() {
        if (open.decrementAndGet() == 0) {
            Throwable problem = failure;
            if (problem != null && known.isEmpty()) {
                completeExceptionally(problem);
            } else {
                complete(Map.copyOf(known));
            }
        }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled =
                known.isEmpty() ? super.cancel(mayInterrupt) : !complete(Map.copyOf(known)) && isCancelled();
        // Only now: the last of them would complete this one with its own cancellation.
        calls.forEach(call -> call.cancel(mayInterrupt));
        return cancelled;
    }
}
