package dev.interlock.evidence;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** The cases on ZooKeeper. In each, sessions are 10 s long. */
// Holders that do not unlock are what the cases are about.
@SuppressWarnings("LockNotBeforeTry")
final class ZooKeeperCases {

    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration ENOUGH = Duration.ofSeconds(20);
    private static final Duration BUDGET = Duration.ofMillis(200);

    /** What is no longer a matter of a slow machine. */
    private static final Duration FAR_TOO_LONG = Duration.ofSeconds(3);

    private static final String PATH = "/case";

    private ZooKeeperCases() {}

    /**
     * The server ends the session of the holder, whose client is told, and another acquires; the thread of the holder
     * acquires again.
     */
    static boolean curatorEntersAgain(Consumer<String> saw) throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework client = curator(server.connectString());
                CuratorFramework other = curator(server.connectString())) {
            InterProcessMutex mutex = new InterProcessMutex(client, PATH);
            CountDownLatch told = new CountDownLatch(1);
            client.getConnectionStateListenable().addListener((framework, state) -> {
                if (state == ConnectionState.LOST) {
                    told.countDown();
                }
            });
            mutex.acquire();
            server.expire(client.getZookeeperClient().getZooKeeper().getSessionId());
            InterProcessMutex theirs = new InterProcessMutex(other, PATH);
            boolean taken = theirs.acquire(ENOUGH.toSeconds(), TimeUnit.SECONDS);
            boolean knows = told.await(ENOUGH.toSeconds(), TimeUnit.SECONDS);
            boolean entered = mutex.acquire(1, TimeUnit.MILLISECONDS);
            saw.accept("the session of the holder ended, its client was told: " + knows + "; another "
                    + (taken ? "got" : "did not get") + " the lock; the first entered again: " + entered
                    + ", and both say that they hold: "
                    + (mutex.isOwnedByCurrentThread() && theirs.isOwnedByCurrentThread()));
            return taken && entered;
        }
    }

    /** The same. */
    static boolean entryIsRefused(Consumer<String> saw) throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Interlock client = interlock(server.uri());
                Interlock other = interlock(server.uri())) {
            DistributedLock lock = client.lock("case");
            CountDownLatch told = new CountDownLatch(1);
            lock.lock();
            lock.heldLease().onLost(cause -> told.countDown());
            server.sessions().forEach(server::expire);
            boolean taken = other.lock("case").tryAcquire(ENOUGH).isPresent();
            boolean knows = told.await(ENOUGH.toSeconds(), TimeUnit.SECONDS);
            boolean entered;
            String answer;
            try {
                entered = lock.tryLock();
                answer = Boolean.toString(entered);
            } catch (LockLostException e) {
                entered = false;
                answer = "LockLostException " + e.lossCause();
            }
            saw.accept("the session of the holder ended, its client was told: " + knows + "; another "
                    + (taken ? "got" : "did not get") + " the lock; the first entered again: " + answer);
            return !taken || !knows || entered;
        }
    }

    /** The network to the server is dead; the connections stay open. */
    static boolean curatorExceedsItsTime(Consumer<String> saw) throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                CuratorFramework client = curator("127.0.0.1:" + proxy.port())) {
            InterProcessMutex mutex = new InterProcessMutex(client, PATH);
            mutex.acquire();
            mutex.release();
            proxy.blackHole();
            long begun = System.nanoTime();
            String outcome;
            try {
                outcome = Boolean.toString(mutex.acquire(BUDGET.toMillis(), TimeUnit.MILLISECONDS));
            } catch (Exception e) {
                outcome = e.getClass().getSimpleName();
            }
            boolean late = tellOfTime(saw, begun, outcome);
            proxy.heal();
            return late;
        }
    }

    /** The same. */
    static boolean timeIsKept(Consumer<String> saw) throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                Interlock client = interlock(server.uriAt(proxy.port()))) {
            DistributedLock lock = client.lock("case");
            lock.lock();
            lock.unlock();
            proxy.blackHole();
            long begun = System.nanoTime();
            String outcome;
            try {
                outcome = Boolean.toString(lock.tryLock(BUDGET));
            } catch (StoreUnavailableException e) {
                outcome = e.getClass().getSimpleName();
            }
            boolean late = tellOfTime(saw, begun, outcome);
            proxy.heal();
            return late;
        }
    }

    private static boolean tellOfTime(Consumer<String> saw, long begun, String outcome) {
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        saw.accept("with the server silent, an acquire of " + BUDGET.toMillis() + " ms took " + took.toMillis()
                + " ms: " + outcome);
        return took.compareTo(FAR_TOO_LONG) > 0;
    }

    private static CuratorFramework curator(String hosts) {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                hosts, (int) SESSION.toMillis(), 15_000, new ExponentialBackoffRetry(100, 5));
        client.start();
        return client;
    }

    private static Interlock interlock(String uri) {
        return Interlock.connect(uri + "?session=" + SESSION.toSeconds() + "s");
    }
}
