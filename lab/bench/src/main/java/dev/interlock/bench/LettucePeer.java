package dev.interlock.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The simplest lock that excludes: one SET to lock and one script to unlock, on one shared connection. */
final class LettucePeer implements Peer {

    private static final String COMPARE_AND_DELETE =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
    // Nobody renews it: longer than any row takes.
    private static final long LEASE_MILLIS = 600_000;
    private static final long REPLY_SECONDS = 60;
    private static final long RETRY_NANOS = 1_000_000;

    private final String id = UUID.randomUUID().toString();
    private final AtomicLong sequence = new AtomicLong();
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private final String digest;

    LettucePeer(String uri) {
        client = RedisClient.create(uri);
        connection = client.connect();
        commands = connection.async();
        digest = await(commands.scriptLoad(COMPARE_AND_DELETE));
    }

    @Override
    public PeerLock lock(String name) {
        return new SetLock(name);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }

    private static <T> T await(RedisFuture<T> reply) {
        try {
            return reply.get(REPLY_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the server did not answer", e);
        }
    }

    private final class SetLock implements PeerLock {
        private final String name;
        private String owner = "";

        SetLock(String name) {
            this.name = name;
        }

        @Override
        public void lock() {
            while (!attempt()) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }

        @Override
        public boolean tryLock(Duration wait) {
            long deadlineNanos = System.nanoTime() + wait.toNanos();
            while (!attempt()) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(Math.min(left, RETRY_NANOS));
            }
            return true;
        }

        @Override
        public void unlock() {
            Long deleted = await(commands.evalsha(digest, ScriptOutputType.INTEGER, new String[] {name}, owner));
            if (deleted != 1) {
                throw new IllegalMonitorStateException("not the owner of " + name);
            }
        }

        private boolean attempt() {
            owner = id + ':' + sequence.incrementAndGet();
            // SET answers nil, and so null, when the key exists.
            return "OK"
                    .equals(await(commands.set(name, owner, SetArgs.Builder.nx().px(LEASE_MILLIS))));
        }
    }
}
