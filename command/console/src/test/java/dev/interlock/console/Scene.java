package dev.interlock.console;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Locks of every kind on a Redis server, held and waited for by two applications, until it is closed. Two threads of
 * theirs wait for each other.
 */
final class Scene implements AutoCloseable {

    /** A name that would run if it were markup. */
    static final String HOSTILE = "<img src=x onerror=\"document.title='broken into'\">";

    private final Interlock billing;
    private final Interlock shipping;
    private final List<Thread> threads = new ArrayList<>();

    Scene(RedisServer redis) throws InterruptedException {
        billing = Interlock.builder(redis.uri()).application("billing").build();
        shipping = Interlock.builder(redis.uri()).application("shipping").build();
        hold(billing, HOSTILE);
        hold(billing, "nightly-backup");
        hold(billing, "orders:42");
        hold(billing, "orders:43");
        hold(shipping, "orders:eu:7");
        billing.readWriteLock("catalogue").readLock().acquire();
        DistributedSemaphore pool = shipping.semaphore("pool", 5);
        pool.acquire(3);
        billing.latch("ready").trySetCount(3);
        billing.election("scheduler").join(lease -> new CountDownLatch(1).await());
        start("waiter-1", () -> shipping.lock("orders:42").lockInterruptibly());
        deadlock();
    }

    /** A hold until the scene is closed. */
    static Lease hold(Interlock client, String name) throws InterruptedException {
        return client.lock(name).acquire();
    }

    Interlock billing() {
        return billing;
    }

    private void deadlock() throws InterruptedException {
        CountDownLatch bothHold = new CountDownLatch(2);
        start("left", () -> inTurn(billing.lock("left"), billing.lock("right"), bothHold));
        start("right", () -> inTurn(shipping.lock("right"), shipping.lock("left"), bothHold));
        bothHold.await();
    }

    private static void inTurn(DistributedLock first, DistributedLock second, CountDownLatch bothHold)
            throws InterruptedException {
        first.lockInterruptibly();
        bothHold.countDown();
        bothHold.await();
        second.lockInterruptibly();
    }

    /** Something that waits until it is interrupted. */
    private interface Wait {

        void run() throws InterruptedException;
    }

    private void start(String name, Wait wait) {
        Thread thread = new Thread(
                () -> {
                    try {
                        wait.run();
                    } catch (InterruptedException e) {
                        // The scene is over. The client releases what the thread holds.
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        billing.close();
        shipping.close();
    }
}
