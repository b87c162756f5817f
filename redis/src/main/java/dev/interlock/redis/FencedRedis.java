package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.fence.FenceVerdict;
import dev.interlock.spi.LockStore;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes to Redis that a later holder's write makes impossible: a script compares the token and sets the value in one
 * step.
 *
 * <pre>{@code
 * FencedRedis fenced = FencedRedis.over(connection.async());
 * try (Lease lease = interlock.lock("stock:17").acquire()) {
 *   FenceVerdict verdict = fenced.set("stock:17:count", "41", lease.token()).toCompletableFuture().join();
 * }
 * }</pre>
 *
 * <p>The largest token stands beside the value, in the key {@code interlock_guard:{<key>}}, or in another of the same
 * slot if the key has braces itself. It has no end of its own: delete both or none. All who write the value under the
 * lock have to write it so. The user of the connection needs the rights of EVALSHA, EVAL, GET and SET on both keys.
 * Thread-safe.
 */
public final class FencedRedis {

    private final RedisScriptingAsyncCommands<String, String> commands;
    private final String sha = new String(Script.FENCED_SET.sha(), US_ASCII);

    private FencedRedis(RedisScriptingAsyncCommands<String, String> commands) {
        this.commands = commands;
    }

    /** Writes over a connection of the application, to one server or to a cluster, which the application closes. */
    public static FencedRedis over(RedisScriptingAsyncCommands<String, String> commands) {
        return new FencedRedis(commands);
    }

    /** {@link #set(String, String, long, String)} for tokens that have one owner each, as those of leases have. */
    public CompletionStage<FenceVerdict> set(String key, String value, long token) {
        return set(key, value, token, "");
    }

    /**
     * Sets a value, if no larger token has been seen with its key, nor the same one of another owner.
     *
     * @param token the fencing token of the writer's lease, positive
     * @param owner who writes: anything that two writers do not share
     * @return whether the value was set, and the largest token seen. It fails with the client's exception if the server
     *     could not be asked: then it is not known whether the value was set, and the same call again does no harm
     * @throws IllegalArgumentException if the token is not positive
     */
    public CompletionStage<FenceVerdict> set(String key, String value, long token, String owner) {
        if (token <= 0) {
            throw new IllegalArgumentException("A fencing token must be positive: " + token);
        }
        String[] keys = {key, new String(new Keys(key).guard(), UTF_8)};
        String[] arguments = {Long.toString(token), owner, value};
        return commands.<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys, arguments)
                .exceptionallyCompose(failure -> isUnknownScript(failure)
                        ? commands.eval(Script.FENCED_SET.text(), ScriptOutputType.MULTI, keys, arguments)
                        : CompletableFuture.failedFuture(failure))
                .thenApply(reply -> new FenceVerdict(
                        Long.valueOf(1).equals(reply.get(0)),
                        Long.parseLong(reply.get(1).toString())));
    }

    private static boolean isUnknownScript(Throwable failure) {
        Throwable cause = LockStore.causeOf(failure);
        return cause instanceof RedisNoScriptException;
    }
}
