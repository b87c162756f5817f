package dev.interlock.redis.connection;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.PlainCommand;
import io.lettuce.core.protocol.CommandType;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a server once for each connection, in front of the first command and without waiting: whether it is
 * new enough, what it is, and whether it may evict locks. A user without the right to ask is not bothered: only the
 * problem itself is one.
 */
public final class Handshake {

    private static final String POLICY = "maxmemory_policy:";
    private static final System.Logger LOG = System.getLogger("dev.interlock.redis");

    private final AtomicBoolean warned = new AtomicBoolean();

    /** The question who is there. */
    public static PlainCommand hello() {
        return new PlainCommand(CommandType.HELLO);
    }

    /**
     * Asks.
     *
     * @param where what the server is called in messages
     * @param judge says of a server that is new enough what is wrong with it; null if nothing is
     * @param verdict hears why the server is not to be used; null: it may be, or the connection broke
     * @return the first question; if it is cancelled, that is a verdict too
     */
    PlainCommand start(
            String where,
            Consumer<Command<?>> sender,
            Function<HelloReply, @Nullable RuntimeException> judge,
            Consumer<@Nullable RuntimeException> verdict) {
        PlainCommand hello = hello();
        var unused = hello.whenComplete((reply, failure) -> {
            if (hello.isCancelled()) {
                verdict.accept(Failures.silent(where));
            } else {
                verdict.accept(reply != null ? problem(HelloReply.of(reply), judge) : unknownHello(failure));
            }
        });
        sender.accept(hello);
        if (!warned.get()) {
            PlainCommand memory = new PlainCommand(CommandType.INFO, "memory");
            var ignored = memory.thenAccept(reply -> checkEviction(reply.text(), where));
            sender.accept(memory);
        }
        return hello;
    }

    private static @Nullable RuntimeException problem(
            HelloReply greeting, Function<HelloReply, @Nullable RuntimeException> judge) {
        return greeting.isTooOld() ? Failures.tooOld(greeting.version()) : judge.apply(greeting);
    }

    private static @Nullable RuntimeException unknownHello(@Nullable Throwable failure) {
        boolean unknown =
                failure != null && String.valueOf(failure.getMessage()).contains("unknown command");
        return unknown ? Failures.tooOld("unknown, HELLO is not known") : null;
    }

    private void checkEviction(String info, String where) {
        info.lines()
                .filter(line -> line.startsWith(POLICY))
                .map(line -> line.substring(POLICY.length()).trim())
                .filter(policy -> !policy.equals("noeviction"))
                .filter(policy -> warned.compareAndSet(false, true))
                .forEach(policy -> LOG.log(
                        Level.WARNING,
                        "Redis may evict locks when its memory is full; set maxmemory-policy to noeviction: "
                                + "maxmemory-policy=" + policy + ", server=" + where));
    }
}
