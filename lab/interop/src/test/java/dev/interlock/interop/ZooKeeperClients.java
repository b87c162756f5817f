package dev.interlock.interop;

import dev.interlock.Interlock;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.awaitility.Awaitility;

/** A real ZooKeeper, and clients of both kinds that are closed with it. Each has a session of its own. */
final class ZooKeeperClients implements AutoCloseable {

    private static final Duration SESSION = Duration.ofSeconds(20);
    private static final Duration CONNECT = Duration.ofMinutes(1);

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final Deque<Runnable> open = new ArrayDeque<>();

    ZooKeeperServer server() {
        return server;
    }

    /** A client of ours that polls once a second. */
    Interlock interlock() {
        return interlock(Duration.ofSeconds(1));
    }

    /** A client of ours. */
    Interlock interlock(Duration pollCap) {
        Interlock client = Interlock.builder(server.uri() + "?session=" + SESSION.toSeconds() + "s")
                .pollCap(pollCap)
                .attemptTimeout(Patience.FULL)
                .build();
        open.push(client::close);
        // A verb waits for a connection for a moment only, which may be too short on a busy machine.
        Awaitility.await().until(() -> !client.lock("-").isLocked());
        return client;
    }

    /** The real Curator. */
    CuratorFramework curator() {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                server.connectString(),
                (int) SESSION.toMillis(),
                (int) CONNECT.toMillis(),
                new ExponentialBackoffRetry(100, 10));
        client.start();
        open.push(client::close);
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
