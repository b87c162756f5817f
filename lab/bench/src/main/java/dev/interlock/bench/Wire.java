package dev.interlock.bench;

import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.ZooKeeperOperations;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.io.IOException;
import java.time.Duration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** A connection to a ZooKeeper server with a chosen latency that counts every request. */
final class Wire implements AutoCloseable {

    private static final int SESSION_MILLIS = 30_000;
    private static final int WARM_UPS = 50;
    private static final int PROBES = 51;

    private final ZooKeeperServer server;
    private final Duration roundTrip;
    private final ZooKeeperOperations requests = new ZooKeeperOperations();
    private final FaultProxy proxy;

    /** Adds this much to what a round trip takes anyway. */
    Wire(ZooKeeperServer server, Duration roundTrip) {
        this.server = server;
        this.roundTrip = roundTrip;
        proxy = FaultProxy.to(server, requests);
        proxy.latency(roundTrip.dividedBy(2));
    }

    /** For clients whose requests count. */
    String uri() {
        return server.uriAt(proxy.port());
    }

    /** For clients that are there only so that others find a lock held. */
    String uriUncounted() {
        return server.uri();
    }

    /** What clients have asked for on this wire. */
    ZooKeeperOperations requests() {
        return requests;
    }

    /** The length of the wire, for people. */
    String title() {
        return "+" + roundTrip.toMillis() + " ms";
    }

    /** The length of the wire. */
    Duration roundTrip() {
        return roundTrip;
    }

    /** What a request and its answer take, in milliseconds: the median for a plain client that reads. */
    double measuredMillis() {
        try {
            ZooKeeper client = new ZooKeeper("127.0.0.1:" + proxy.port(), SESSION_MILLIS, event -> {});
            try {
                return probed(client);
            } finally {
                client.close();
            }
        } catch (IOException | KeeperException e) {
            throw new IllegalStateException("ZooKeeper did not answer", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while measuring the wire", e);
        }
    }

    private static double probed(ZooKeeper client) throws KeeperException, InterruptedException {
        Histogram times = new Histogram();
        for (int i = 0; i < WARM_UPS + PROBES; i++) {
            long startNanos = System.nanoTime();
            client.exists("/", false);
            if (i >= WARM_UPS) {
                times.record(System.nanoTime() - startNanos);
            }
        }
        return times.percentile(0.5) / 1e6;
    }

    @Override
    public void close() {
        proxy.close();
    }
}
