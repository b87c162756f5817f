package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.fence.FenceVerdict;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.Script;
import dev.interlock.spi.LockStore;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes values to Redis under the protection of fencing tokens: once a holder has written, a former holder cannot. A
 * script compares the token and sets the value in one step.
 *
 * <pre>{@code
 * FencedRedis fenced = FencedRedis.over(connection.async());
 * try (Lease lease = interlock.lock("stock:17").acquire()) {
 *   FenceVerdict verdict = fenced.set("stock:17:count", "41", lease.token()).toCompletableFuture().join();
 * }
 * }</pre>
 *
 * <p>The key {@code interlock_guard:{<key>}} contains the largest token; if the key has braces itself, it is another
 * key of the same slot. It does not expire: delete both keys or none. All writers of the value must write it in this
 * way. The Redis user needs the rights for EVALSHA, EVAL, GET and SET on both keys. Thread-safe.
 */
public final class FencedRedis {

    private final RedisScriptingAsyncCommands<String, String> commands;
    private final String sha = new String(Script.FENCED_SET.sha(), US_ASCII);

    private FencedRedis(RedisScriptingAsyncCommands<String, String> commands) {
        this.commands = commands;
    }

    /** Uses a connection of the application, to one server or a cluster, which the application closes. */
    public static FencedRedis over(RedisScriptingAsyncCommands<String, String> commands) {
        return new FencedRedis(commands);
    }

    /** {@link #set(String, String, long, String)} for tokens that have one owner each, as those of leases do. */
    public CompletionStage<FenceVerdict> set(String key, String value, long token) {
        return set(key, value, token, "");
    }

    /**
     * Sets a value, unless the key has been written with a larger token, or with the same token by another owner.
     *
     * @param token the fencing token of the writer's lease, positive
     * @param owner a text that no other writer uses
     * @return whether the value was set, and the largest token seen. The stage fails with the client's exception if the
     *     server does not reply: then it is unknown whether the value was set, and you may repeat the call. It fails
     *     with an {@link IllegalStateException}, and nothing is set, if the guard contains something else than a token
     * @throws IllegalArgumentException if the token is not positive
     */
    public CompletionStage<FenceVerdict> set(String key, String value, long token, String owner) {
        if (token <= 0) {
            throw new IllegalArgumentException("A fencing token must be positive: " + token);
        }
        String[] keys = {key, new String(new Keys(key).guard(), UTF_8)};
        String[] arguments = {Long.toString(token), owner, value};
        String guard = keys[1];
        return commands.<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys, arguments)
                .exceptionallyCompose(failure -> isWithoutTheScript(failure)
                        ? commands.eval(Script.FENCED_SET.text(), ScriptOutputType.MULTI, keys, arguments)
                        : CompletableFuture.failedFuture(failure))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Failures.ofGuard(failure, guard)))
                .thenApply(reply -> new FenceVerdict(
                        Long.valueOf(1).equals(reply.get(0)),
                        Long.parseLong(reply.get(1).toString())));
    }

    /** The server does not know the script, or the user may not call it by its digest: nothing was done. */
    private static boolean isWithoutTheScript(Throwable failure) {
        Throwable cause = LockStore.causeOf(failure);
        return cause instanceof RedisNoScriptException
                || (cause instanceof RedisCommandExecutionException
                        && Failures.refuses(String.valueOf(cause.getMessage()), CommandType.EVALSHA));
    }
}
