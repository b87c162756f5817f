package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client of each store, of a server that it has never reached: closing it waits for nothing, since nothing can be
 * held there, and logs no error (P27).
 */
@Tag("wide")
class CloseOfStoresTest {

    /** Whoever waits for it would not come back in this test. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private static final LeaseTerm LONG = LeaseTerm.renewing(Duration.ofMinutes(30));

    private final Logger root = Logger.getLogger("");
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final Handler watch = new Handler() {
        @Override
        public void publish(LogRecord line) {
            // ZooKeeper's client calls a name that is unknown an error while it connects.
            boolean connects = line.getLoggerName().equals("org.apache.zookeeper.client.StaticHostProvider");
            if (line.getLevel().intValue() > Level.WARNING.intValue() && !connects) {
                errors.add(line.getLoggerName() + ": " + line.getMessage() + " " + line.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void watchTheLog() {
        root.addHandler(watch);
    }

    @AfterEach
    void leaveTheLog() {
        root.removeHandler(watch);
    }

    static List<String> stores() {
        return List.of(
                "redis://%s",
                "redis://%s,%s",
                "redis-sentinel://%s/main",
                "jdbc:postgresql://%s/none",
                "mongodb://%s/none",
                "zk://%s",
                "etcd://%s");
    }

    private static Interlock open(String store, String server) {
        return open(store, server, FOR_EVER);
    }

    private static Interlock open(String store, String server, Duration closeTimeout) {
        return Interlock.builder(store.replace("%s", server))
                .storeTimeout(Duration.ofSeconds(3))
                .closeTimeout(closeTimeout)
                .build();
    }

    private void closes(Interlock client) throws Exception {
        CompletableFuture<Void> closed = CompletableFuture.runAsync(client::close);
        closed.get(20, TimeUnit.SECONDS);
        // Loops of network clients end a moment later, and are where a late timer would fail.
        Thread.sleep(300);
        assertThat(errors).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void P27_clientThatWasNeverUsed(String store) throws Exception {
        closes(open(store, "127.0.0.1:" + Ports.free()));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void P27_serverThatRefusesConnections(String store) throws Exception {
        Interlock client = open(store, "127.0.0.1:" + Ports.free());
        assertThatThrownBy(() -> client.lock("n").acquire(LONG)).isInstanceOf(StoreUnavailableException.class);
        closes(client);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void P27_hostThatIsUnknown(String store) throws Exception {
        Interlock client = open(store, "host.invalid:7");
        assertThatThrownBy(() -> client.lock("n").acquire(LONG)).isInstanceOf(StoreUnavailableException.class);
        closes(client);
    }

    /**
     * At the same moment as an attempt begins or fails, a little before and a little after: it is on another thread.
     */
    @ParameterizedTest
    @MethodSource("stores")
    void P27_closedWhileConnecting_isQuiet(String store) throws Exception {
        for (int millis = 0; millis < 40; millis += 4) {
            String server = millis % 8 == 0 ? "host.invalid:7" : "127.0.0.1:" + Ports.free();
            Interlock client = open(store, server);
            CompletableFuture<Lease> acquired = CompletableFuture.supplyAsync(() ->
                    client.lock("n").acquireAsync(LONG).toCompletableFuture().join());
            Thread.sleep(millis);
            closes(client);
            assertThat(acquired).failsWithin(Patience.limit());
        }
    }

    /**
     * One that accepts connections, and says nothing. Redis is sent a command with the greeting, and may execute it.
     */
    @ParameterizedTest
    @MethodSource("stores")
    void P27_serverThatIsSilent(String store) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Duration longest = store.startsWith("redis://") ? Duration.ofSeconds(1) : FOR_EVER;
            Interlock client = open(store, "127.0.0.1:" + silent.getLocalPort(), longest);
            assertThatThrownBy(() -> client.lock("n").acquire(LONG)).isInstanceOf(StoreUnavailableException.class);
            closes(client);
        }
    }
}
