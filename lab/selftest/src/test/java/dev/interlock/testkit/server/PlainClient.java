package dev.interlock.testkit.server;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper's own client, closed without a word. */
record PlainClient(ZooKeeper zk) implements AutoCloseable {

    /** Returns when it has a session of this length. */
    static PlainClient connect(String at, Duration session) throws IOException {
        ZooKeeper zk = new ZooKeeper(at, (int) session.toMillis(), event -> {});
        await().until(() -> zk.getState().isConnected());
        return new PlainClient(zk);
    }

    /** Waits until the client knows that its session is over. */
    void awaitEnd() {
        await().until(() -> zk.getState() == ZooKeeper.States.CLOSED);
    }

    @Override
    public void close() {
        try {
            zk.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
