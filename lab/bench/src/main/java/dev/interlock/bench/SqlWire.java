package dev.interlock.bench;

import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A connection to a database of a PostgreSQL that counts every statement. Measurements of time do not use it. */
final class SqlWire implements AutoCloseable {

    private static final int PAIRS = 50;

    private final String url;
    private final String countedUrl;
    private final SqlStatements sent = new SqlStatements();
    private final FaultProxy proxy;

    SqlWire(PostgresServer server, String url) {
        this.url = url;
        proxy = FaultProxy.to("127.0.0.1", server.port(), sent);
        countedUrl = url.replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    }

    /**
     * What a pair of lock and unlock of a free lock costs.
     *
     * @param statements for each pair
     * @param roundTrips for each pair
     */
    record Cost(double statements, double roundTrips) {}

    /** The cost of a pair, after so many that warm up what is kept prepared. */
    Cost costOfAPair(PeerKind kind) {
        try (Peer peer = kind.open(countedUrl)) {
            PeerLock lock = peer.lock("bench:cost:" + kind);
            pairs(lock);
            long statements = sent.statements();
            long roundTrips = sent.roundTrips();
            pairs(lock);
            return new Cost(
                    (double) (sent.statements() - statements) / PAIRS,
                    (double) (sent.roundTrips() - roundTrips) / PAIRS);
        }
    }

    private static void pairs(PeerLock lock) {
        for (int i = 0; i < PAIRS; i++) {
            lock.lock();
            lock.unlock();
        }
    }

    /**
     * How many statements a client sends in a second that waits for a lock which another client holds: in this time,
     * after it has waited for so long.
     */
    double statementsAtRest(PeerKind kind, Duration before, Duration time) {
        String name = "bench:rest:" + kind;
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Peer holder = kind.open(url);
                Peer waiter = kind.open(countedUrl)) {
            PeerLock held = holder.lock(name);
            held.lock();
            PeerLock waiting = waiter.lock(name);
            CompletableFuture<Void> turn = CompletableFuture.runAsync(
                    () -> {
                        waiting.lock();
                        waiting.unlock();
                    },
                    thread);
            Pause.of(before);
            long statements = sent.statements();
            Pause.of(time);
            double perSecond = (sent.statements() - statements) / (time.toNanos() / 1e9);
            boolean waited = !turn.isDone();
            held.unlock();
            turn.join();
            if (!waited) {
                throw new IllegalStateException(kind.title() + " granted " + name + " although another client held it");
            }
            return perSecond;
        } finally {
            thread.shutdown();
        }
    }

    @Override
    public void close() {
        proxy.close();
    }
}
