package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Patience;
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
 * With {@code redissonInterop} the release of one side wakes a waiter of the other (I5). A waiter that is not woken
 * sleeps for an hour, which is longer than any test: Redisson's for the lease of the holder, ours for the poll cap.
 */
class RedissonWakeTest {

    private static final Duration NEVER = Duration.ofHours(1);
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
        DistributedLock ours = clients.interlock(true, NEVER).lock("wake:redisson");
        RLock theirs = clients.redisson().getLock("wake:redisson");
        for (int round = 0; round < ROUNDS; round++) {
            ours.lock(LeaseTerm.fixed(NEVER));
            long calls = scriptCalls();
            CompletableFuture<Boolean> held = waitFor(theirs);
            awaitRedissonWaiting("wake:redisson", calls);
            ours.unlock();
            assertThat(held.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join())
                    .isTrue();
        }
    }

    @Test
    void oursIsWokenByTheReleaseOfRedisson() {
        DistributedLock ours = clients.interlock(true, NEVER).lock("wake:ours");
        RLock theirs = clients.redisson().getLock("wake:ours");
        for (int round = 0; round < ROUNDS; round++) {
            theirs.lock(NEVER.toMillis(), TimeUnit.MILLISECONDS);
            CompletableFuture<Boolean> held = waitFor(ours);
            awaitOurWaiter("wake:ours", 1);
            theirs.unlock();
            assertThat(held.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join())
                    .isTrue();
        }
    }

    /** The negative control: the wakes of the two tests above come from the option. */
    @Test
    void withoutTheOptionOursIsNotWoken() {
        Interlock client = clients.interlock(false, NEVER);
        // A client that has waited before is listed by its first request, and then makes no other.
        handOver(clients.interlock(false), client, "wake:before");
        DistributedLock ours = client.lock("wake:off");
        RLock theirs = clients.redisson().getLock("wake:off");
        theirs.lock(NEVER.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<Boolean> held = waitFor(ours);
        awaitOurWaiter("wake:off", 1);
        theirs.unlock();
        Awaitility.await().during(Duration.ofSeconds(2)).until(() -> !held.isDone());
    }

    @Test
    void withoutTheOptionNothingIsPublishedForRedisson() {
        try (Channels channels = Channels.listen(clients.server().uri(), "redisson_*")) {
            handOverBetweenOurs(false, "publish:off");
            handOverBetweenOurs(true, "publish:on");
            // One connection keeps the order: a message of the first hand-over would be here before this one.
            Awaitility.await().until(() -> channels.heard("redisson_lock__channel:{publish:on}") > 0);
            assertThat(channels.heard("redisson_lock__channel:{publish:off}")).isZero();
        }
    }

    private void handOverBetweenOurs(boolean interop, String name) {
        handOver(clients.interlock(interop), clients.interlock(interop), name);
    }

    private void handOver(Interlock holder, Interlock next, String name) {
        DistributedLock held = holder.lock(name);
        held.lock();
        CompletableFuture<Boolean> got = waitFor(next.lock(name));
        awaitOurWaiter(name, 1);
        held.unlock();
        assertThat(got.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join()).isTrue();
    }

    /** Completes when the lock was held, and is released again. */
    private CompletableFuture<Boolean> waitFor(Lock lock) {
        return CompletableFuture.supplyAsync(
                () -> {
                    lock.lock();
                    lock.unlock();
                    return true;
                },
                waiter);
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
