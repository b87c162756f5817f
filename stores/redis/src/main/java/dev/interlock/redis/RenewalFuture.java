package dev.interlock.redis;

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
 * The result of one renewal, which collects the replies of all servers. A caller that cancels it while some are missing
 * receives those that have come, so that a server that is stopped does not affect the claims on others.
 */
final class RenewalFuture extends CompletableFuture<Map<Claim, Renewal>> {

    private final Map<Claim, Renewal> known = new ConcurrentHashMap<>();
    private final Queue<Command<?>> commands = new ConcurrentLinkedQueue<>();

    /** The number of commands without a reply, plus one as long as more may be sent. */
    private final AtomicInteger open = new AtomicInteger(1);

    private volatile @Nullable Throwable failure;

    /** Sends a command, and passes its reply on, which may send more commands. */
    void send(PlainScriptCommand command, Consumer<Command<?>> sender, Consumer<Reply> taker) {
        open.incrementAndGet();
        commands.add(command);
        var unused = command.handle((reply, problem) -> {
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
        sender.accept(command);
    }

    void put(Claim claim, Renewal renewal) {
        known.put(claim, renewal);
    }

    /** Notes that no more commands are sent, except by those who receive replies. */
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
        // Only now: the last command would complete this future with its own cancellation.
        commands.forEach(command -> command.cancel(mayInterrupt));
        return cancelled;
    }
}
