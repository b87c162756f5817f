package dev.interlock.interop;

import dev.interlock.Interlock;
import dev.interlock.redis.RedisStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.awaitility.Awaitility;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A real server, and clients of both kinds that are closed with it. */
final class Clients implements AutoCloseable {

    private final RedisServer server = RedisServer.start();
    private final Deque<Runnable> open = new ArrayDeque<>();

    RedisServer server() {
        return server;
    }

    /** A client of ours that polls once a second. */
    Interlock interlock(boolean interop) {
        return interlock(interop, Duration.ofSeconds(1));
    }

    /** A client of ours. */
    Interlock interlock(boolean interop, Duration pollCap) {
        RedisStore store =
                RedisStore.builder(server.uri()).redissonInterop(interop).build();
        Interlock client = Interlock.builder(store)
                .pollCap(pollCap)
                .attemptTimeout(Patience.FULL)
                .build();
        open.push(client::close);
        // The first connection may take longer than a single attempt on a busy machine.
        Awaitility.await().until(() -> !client.lock("-").isLocked());
        return client;
    }

    /** The real Redisson, with few threads, because several of them share the machine. */
    RedissonClient redisson() {
        Config config = new Config();
        config.setThreads(2).setNettyThreads(2);
        config.useSingleServer()
                .setAddress(server.uri())
                .setTimeout((int) Patience.FULL.toMillis())
                .setConnectionPoolSize(4)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionPoolSize(4);
        RedissonClient client = Redisson.create(config);
        open.push(client::shutdown);
        return client;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
        server.close();
    }
}
