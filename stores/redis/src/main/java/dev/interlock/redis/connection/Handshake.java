package dev.interlock.redis.connection;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.spi.Log;
import io.lettuce.core.protocol.CommandType;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The first commands on each connection, sent ahead of others and without waiting for the replies: {@code HELLO}, which
 * tells the version and role of the server, and {@code INFO}, which tells whether it may evict locks. If the user lacks
 * the rights for these commands, the checks are left out.
 */
public final class Handshake {

    private static final String POLICY = "maxmemory_policy:";
    private static final System.Logger LOG = Log.named("dev.interlock.redis");

    private final AtomicBoolean warned = new AtomicBoolean();

    /** Creates a {@code HELLO}. */
    public static PlainCommand hello() {
        return new PlainCommand(CommandType.HELLO);
    }

    /**
     * Sends the handshake.
     *
     * @param where the server, as messages show it
     * @param judge returns why a server that is new enough is not usable; null if it is
     * @param verdict receives the reason why the server is not usable; null if it is, or if the connection broke
     * @return the {@code HELLO}; if it is cancelled, the verdict is that the server is silent
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
                verdict.accept(reply != null ? problem(HelloReply.of(reply), judge) : unknownHello(failure, where));
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

    private static @Nullable RuntimeException unknownHello(@Nullable Throwable failure, String where) {
        boolean unknown =
                failure != null && String.valueOf(failure.getMessage()).contains("unknown command");
        if (unknown) {
            return Failures.tooOld("unknown, HELLO is not known");
        }
        return failure == null ? null : Failures.refusedInTls(failure, where);
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
