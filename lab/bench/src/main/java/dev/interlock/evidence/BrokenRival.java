package dev.interlock.evidence;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Locks of Redis that people write themselves, each with a mistake that the checker must convict. */
final class BrokenRival implements Rival {

    private static final long RHYTHM_MILLIS = 20;
    private static final Duration HASTE = Duration.ofMillis(150);

    private final RedisClient client;
    private final RedisCommands<String, String> commands;
    private final String name;
    private final SetArgs arguments;

    private BrokenRival(RedisURI uri, String name, SetArgs arguments) {
        this.name = name;
        this.arguments = arguments;
        client = RedisClient.create(uri);
        commands = client.connect().sync();
    }

    /** Its lease ends under the holder, who learns nothing, and its release deletes the key of whoever holds. */
    static Rival unowned(String uri, String name, Duration lease) {
        return new BrokenRival(RedisURI.create(uri), name, SetArgs.Builder.nx().px(lease.toMillis()));
    }

    /** Without a lease: a holder that dies holds for ever. */
    static Rival immortal(String uri, String name, Duration lease) {
        return new BrokenRival(RedisURI.create(uri), name, SetArgs.Builder.nx());
    }

    /**
     * It does not wait for replies for long, and takes a lock whose reply came too late for one that it did not get.
     */
    static Rival hasty(String uri, String name, Duration lease) {
        RedisURI quick = RedisURI.create(uri);
        quick.setTimeout(HASTE);
        return new BrokenRival(quick, name, SetArgs.Builder.nx().px(lease.toMillis()));
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws InterruptedException {
        long begun = System.nanoTime();
        while (commands.set(name, "held", arguments) == null) {
            if (System.nanoTime() - begun > wait.toNanos()) {
                return null;
            }
            TimeUnit.MILLISECONDS.sleep(RHYTHM_MILLIS);
        }
        return () -> commands.del(name);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
