package dev.interlock.zookeeper;

import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.ZooKeeperOperations;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One server for the tests of a class, and for each of them a proxy that counts what it sends, and a probe behind that.
 * The session is long, so that nothing is sent to prove it, and it does not end by itself.
 */
abstract class OverProxy {

    @RegisterExtension
    static final TestServer SERVER = new TestServer();

    ZooKeeperOperations sent;

    /** When the client has sent something, as the proxy read it. */
    final Queue<Long> sentNanos = new ConcurrentLinkedQueue<>();

    /** How many connections have begun. */
    final AtomicInteger begun = new AtomicInteger();

    FaultProxy proxy;
    Probe probe;

    @BeforeEach
    void connect() {
        sent = new ZooKeeperOperations();
        proxy = FaultProxy.to(SERVER.server(), () -> {
            begun.incrementAndGet();
            UnaryOperator<byte[]> counting = sent.connected();
            return chunk -> {
                sentNanos.add(System.nanoTime());
                return counting.apply(chunk);
            };
        });
        probe = new Probe(ZooKeeperStore.at(uri()));
    }

    @AfterEach
    void close() {
        probe.close();
        proxy.close();
    }

    /** Through the proxy. */
    final String uri() {
        return uri("");
    }

    final String uri(String path) {
        return SERVER.server().uriAt(proxy.port()) + path + "?session=5m";
    }
}
