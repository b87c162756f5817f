package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/**
 * With {@code redissonInterop} each side hears the other's release (I5). A waiter that does not hear it sleeps for a
 * time that no wake comes near: Redisson's for the lease of the holder, 30 s, ours for a poll cap of 20 s.
 */
class RedissonWakeTest {

    private static final Duration POLL_CAP = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);
    private static final int ROUNDS = 5;

    private final Clients clients = new Clients();
    private final ExecutorService waiter = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        waiter.shutdownNow();
        clients.close();
    }

    @Test
    void aWaitingRedissonIsWokenByOurRelease() {
        DistributedLock ours = clients.interlock(true, POLL_CAP).lock("wake:redisson");
        RLock theirs = clients.redisson().getLock("wake:redisson");
        for (int round = 0; round < ROUNDS; round++) {
            ours.lock();
            long calls = scriptCalls();
            CompletableFuture<Long> held = waitFor(theirs);
            awaitRedissonWaiting("wake:redisson", calls);
            assertThat(latencyOfRelease(ours, held)).isLessThan(AT_ONCE);
        }
    }

    @Test
    void oursIsWokenByTheReleaseOfRedisson() {
        DistributedLock ours = clients.interlock(true, POLL_CAP).lock("wake:ours");
        RLock theirs = clients.redisson().getLock("wake:ours");
        for (int round = 0; round < ROUNDS; round++) {
            theirs.lock();
            CompletableFuture<Long> held = waitFor(ours);
            awaitOurWaiter("wake:ours", 1);
            assertThat(latencyOfRelease(theirs, held)).isLessThan(AT_ONCE);
        }
    }

    /** The negative control: what the two tests above see comes from the option. */
    @Test
    void withoutTheOptionOursFindsOutByAsking() {
        Duration pollCap = Duration.ofSeconds(4);
        DistributedLock ours = clients.interlock(false, pollCap).lock("wake:off");
        RLock theirs = clients.redisson().getLock("wake:off");
        theirs.lock();
        CompletableFuture<Long> held = waitFor(ours);
        awaitOurWaiter("wake:off", 1);
        Duration latency = latencyOfRelease(theirs, held);
        assertThat(latency).isBetween(Duration.ofSeconds(1), pollCap.multipliedBy(2));
    }

    @Test
    void withoutTheOptionNothingIsPublishedForRedisson() {
        try (Channels channels = Channels.listen(clients.server().uri(), "redisson_*")) {
            handOverBetweenOurs(false, "publish:off");
            handOverBetweenOurs(true, "publish:on");
            // In order on one connection: what the first hand-over had published would be here before this.
            Awaitility.await().until(() -> channels.heard("redisson_lock__channel:{publish:on}") > 0);
            assertThat(channels.heard("redisson_lock__channel:{publish:off}")).isZero();
        }
    }

    private void handOverBetweenOurs(boolean interop, String name) {
        Interlock holder = clients.interlock(interop);
        Interlock next = clients.interlock(interop);
        DistributedLock held = holder.lock(name);
        held.lock();
        CompletableFuture<Long> got = waitFor(next.lock(name));
        awaitOurWaiter(name, 1);
        held.unlock();
        assertThat(got.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
    }

    /** The time, by {@link System#nanoTime()}, when the lock was held; it is released again. */
    private CompletableFuture<Long> waitFor(Lock lock) {
        return CompletableFuture.supplyAsync(
                () -> {
                    lock.lock();
                    try {
                        return System.nanoTime();
                    } finally {
                        lock.unlock();
                    }
                },
                waiter);
    }

    private static Duration latencyOfRelease(Lock lock, CompletableFuture<Long> held) {
        long released = System.nanoTime();
        lock.unlock();
        return Duration.ofNanos(held.orTimeout(40, TimeUnit.SECONDS).join() - released);
    }

    private void awaitRedissonWaiting(String name, long callsBefore) {
        String channel = "redisson_lock__channel:{" + name + "}";
        // It asks, subscribes, asks once more, and sleeps.
        Awaitility.await()
                .until(() ->
                        clients.server().command("PUBSUB", "NUMSUB", channel).endsWith("\n1"));
        Awaitility.await().until(() -> scriptCalls() >= callsBefore + 2);
    }

    private void awaitOurWaiter(String name, int number) {
        Awaitility.await().until(() -> clients.server()
                .command("HLEN", "interlock_waiters:{" + name + "}")
                .equals(Integer.toString(number)));
    }

    private long scriptCalls() {
        return clients.server().calls("evalsha");
    }
}
