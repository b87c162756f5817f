package dev.interlock.evidence;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** The cases on Redis. In each, leases are 3 s long unless it says otherwise. */
// Holders that do not unlock are what the cases are about.
@SuppressWarnings("LockNotBeforeTry")
final class RedisCases {

    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Longer than a lease and a second. */
    private static final Duration ENOUGH = Duration.ofSeconds(8);

    private static final int STEPS = 50;

    private RedisCases() {}

    /** A cut-off holder works on while another holds, and nothing interrupts it. */
    static boolean holderOfRedissonIsNotTold(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server)) {
            RedissonClient cut = redisson(server.uriAt(proxy.port()));
            RedissonClient other = redisson(server.uri());
            cut.getLock("case").lock();
            proxy.blackHole();
            boolean taken = other.getLock("case").tryLock(ENOUGH.toSeconds(), TimeUnit.SECONDS);
            saw.accept("after its network died, another client " + (taken ? "got" : "did not get") + " the lock");
            int steps = 0;
            while (steps < STEPS && !Thread.currentThread().isInterrupted()) {
                TimeUnit.MILLISECONDS.sleep(20);
                steps++;
            }
            saw.accept("the first holder worked on for " + steps + " steps of 20 ms; nothing called or interrupted it");
            proxy.reset();
            other.shutdown();
            cut.shutdown(0, 0, TimeUnit.SECONDS);
            return taken && steps == STEPS;
        }
    }

    /** The same: the callback runs before another holds. */
    static boolean holderIsTold(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                Interlock cut = interlock(server.uriAt(proxy.port()));
                Interlock other = interlock(server.uri())) {
            CompletableFuture<LossCause> told = new CompletableFuture<>();
            Lease lease = cut.lock("case").acquire();
            lease.onLost(told::complete);
            proxy.blackHole();
            boolean taken = other.lock("case").tryAcquire(ENOUGH).isPresent();
            boolean valid = lease.isValid();
            saw.accept("after its network died, another client " + (taken ? "got" : "did not get") + " the lock");
            saw.accept("by then the first holder's isValid() was " + valid + "; it was called back with "
                    + told.get(ENOUGH.toSeconds(), TimeUnit.SECONDS));
            proxy.heal();
            return !taken || valid;
        }
    }

    /** After lock(), lock(1 s) and unlock(), the thread still holds once. */
    static boolean nestedLockOfRedissonEndsRenewal(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            RedissonClient client = redisson(server.uri());
            RedissonClient other = redisson(server.uri());
            RLock lock = client.getLock("case");
            lock.lock();
            lock.lock(1, TimeUnit.SECONDS);
            lock.unlock();
            saw.accept("after lock(), lock(1 s), unlock() the hold count is " + lock.getHoldCount());
            boolean taken = other.getLock("case").tryLock(ENOUGH.toSeconds(), TimeUnit.SECONDS);
            saw.accept("then another client " + (taken ? "got" : "did not get") + " the lock in " + ENOUGH.toSeconds()
                    + " s, and the first had not unlocked");
            other.shutdown();
            client.shutdown();
            return taken;
        }
    }

    /** The same. */
    static boolean nestedLockLeavesRenewalAlone(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start();
                Interlock client = interlock(server.uri());
                Interlock other = interlock(server.uri())) {
            DistributedLock lock = client.lock("case");
            lock.lock();
            lock.lock(LeaseTerm.fixed(Duration.ofSeconds(1)));
            lock.unlock();
            saw.accept("after lock(), lock(1 s), unlock() the thread holds it: " + lock.isHeldByCurrentThread());
            boolean taken = other.lock("case").tryAcquire(ENOUGH).isPresent();
            saw.accept("then another client " + (taken ? "got" : "did not get") + " the lock in " + ENOUGH.toSeconds()
                    + " s, and the first had not unlocked");
            lock.unlock();
            return taken;
        }
    }

    /** A client with the only permit is cut off for good. */
    static boolean permitOfRedissonIsGone(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server)) {
            RedissonClient gone = redisson(server.uriAt(proxy.port()));
            RedissonClient other = redisson(server.uri());
            RSemaphore semaphore = gone.getSemaphore("case");
            semaphore.trySetPermits(1);
            semaphore.acquire();
            proxy.refuse();
            proxy.reset();
            boolean back = other.getSemaphore("case").tryAcquire(ENOUGH);
            saw.accept("the only permit " + (back ? "came" : "did not come") + " back within " + ENOUGH.toSeconds()
                    + " s of the end of its holder");
            other.shutdown();
            gone.shutdown(0, 0, TimeUnit.SECONDS);
            return !back;
        }
    }

    /** The same. */
    static boolean permitComesBack(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                Interlock gone = interlock(server.uriAt(proxy.port()));
                Interlock other = interlock(server.uri())) {
            DistributedSemaphore semaphore = gone.semaphore("case", 1);
            semaphore.acquire();
            proxy.refuse();
            proxy.reset();
            boolean back = other.semaphore("case", 1).tryAcquire(1, ENOUGH).isPresent();
            saw.accept("the only permit " + (back ? "came" : "did not come") + " back within " + ENOUGH.toSeconds()
                    + " s of the end of its holder");
            proxy.heal();
            return !back;
        }
    }

    /** A thread does not unlock; the lease is 1 s. */
    static boolean threadOfSpringWaits(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(
                    "127.0.0.1", URI.create(server.uri()).getPort());
            factory.afterPropertiesSet();
            factory.start();
            RedisLockRegistry registry = new RedisLockRegistry(factory, "cases", Duration.ofSeconds(1));
            // Long enough to unlock in time on a machine that stalls.
            RedisLockRegistry elsewhere = new RedisLockRegistry(factory, "cases", Duration.ofMinutes(1));
            registry.obtain("case").lock();
            boolean next = onOtherThread(() -> got(registry.obtain("case")));
            boolean other = onOtherThread(() -> got(elsewhere.obtain("case")));
            tellOfThreads(saw, next, other);
            factory.destroy();
            return !next && other;
        }
    }

    /** The same. */
    static boolean threadGetsIt(Consumer<String> saw) throws Exception {
        try (RedisServer server = RedisServer.start();
                Interlock client = interlock(server.uri());
                Interlock elsewhere = interlock(server.uri())) {
            client.lock("case").lock(LeaseTerm.fixed(Duration.ofSeconds(1)));
            boolean next = onOtherThread(() -> got(client.lock("case")));
            boolean other = onOtherThread(() -> got(elsewhere.lock("case")));
            tellOfThreads(saw, next, other);
            return !next;
        }
    }

    private static void tellOfThreads(Consumer<String> saw, boolean next, boolean other) {
        saw.accept("a thread does not unlock, its lease of 1 s is over: the next thread of its process "
                + (next ? "got" : "did not get") + " the lock in " + ENOUGH.toSeconds() + " s, another process "
                + (other ? "did" : "did not"));
    }

    private static boolean got(Lock lock) throws InterruptedException {
        boolean got = lock.tryLock(ENOUGH.toSeconds(), TimeUnit.SECONDS);
        if (got) {
            lock.unlock();
        }
        return got;
    }

    /** False if it does not come to an end. */
    static boolean onOtherThread(Callable<Boolean> body) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread one = new Thread(task, "case");
            one.setDaemon(true);
            return one;
        });
        try {
            return thread.submit(body).get(2 * ENOUGH.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return false;
        } finally {
            thread.shutdownNow();
        }
    }

    private static RedissonClient redisson(String uri) {
        Config config = new Config().setLockWatchdogTimeout(LEASE.toMillis());
        config.useSingleServer().setAddress(uri);
        return Redisson.create(config);
    }

    private static Interlock interlock(String uri) {
        return Interlock.builder(uri)
                .lockOptions(
                        LockOptions.builder().lease(LeaseTerm.renewing(LEASE)).build())
                .build();
    }
}
