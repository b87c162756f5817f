package dev.interlock.bench;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The row about many leases: the cost of their renewal, and whether all losses are reported when the server is silent.
 */
final class Renewals {

    private static final int UNDER_WAY = 256;
    private static final int PERIODS = 3;
    private static final Duration LATENESS = Duration.ofMillis(50);
    // Answers that the server sent before it stopped have been read by then.
    private static final Duration SEttlED = Duration.ofMillis(300);

    private final int number;
    private final Duration ttl;
    private final RedisServer server;
    private final List<Watched> leases = new ArrayList<>();

    Renewals(int number, Duration ttl, RedisServer server) {
        this.ttl = ttl;
        this.number = number;
        this.server = server;
    }

    /** Takes about three lengths of the lease; leaves the server running. */
    Section run() {
        try (Interlock client = Interlock.builder(server.uri()).build()) {
            long startNanos = System.nanoTime();
            acquire(client);
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            double commands = renewalCommands();
            boolean stopped = cutOff();
            return section(seconds, commands, stopped);
        }
    }

    private void acquire(Interlock client) {
        LeaseTerm term = LeaseTerm.renewing(ttl);
        Semaphore underWay = new Semaphore(UNDER_WAY);
        List<CompletableFuture<Lease>> asked = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            DistributedLock lock = client.lock("bench:B6:" + i);
            underWay.acquireUninterruptibly();
            CompletableFuture<Lease> lease = lock.acquireAsync(term).toCompletableFuture();
            asked.add(lease.whenComplete((got, failure) -> underWay.release()));
        }
        asked.forEach(lease ->
                leases.add(new Watched(lease.orTimeout(60, TimeUnit.SECONDS).join())));
    }

    /** Commands in as many whole periods of renewal as a lease has. */
    private double renewalCommands() {
        // The first renewals follow the acquisitions' own rhythm.
        Mix mix = Mix.learn(server.port(), () -> CompletableFuture.runAsync(() -> Pause.of(ttl)));
        Commands before = Commands.read(server);
        Pause.of(ttl);
        return Commands.read(server).since(before).fromClients(mix);
    }

    /** Stops the server until every lease must have ended; whether it really stood still. */
    private boolean cutOff() {
        server.stop();
        try {
            Pause.of(SEttlED);
            leases.forEach(Watched::readDeadline);
            long last = leases.stream().mapToLong(Watched::deadlineNanos).max().orElseThrow();
            boolean stopped = server.state() == 'T';
            Pause.of(Duration.ofNanos(last - System.nanoTime()).plus(LATENESS.multipliedBy(10)));
            return stopped && server.state() == 'T';
        } finally {
            server.cont();
        }
    }

    private Section section(double seconds, double commands, boolean stopped) {
        double perHundred = commands / PERIODS / (number / 100.0);
        long told = leases.stream().filter(Watched::toldOnce).count();
        double latest =
                leases.stream().mapToDouble(Watched::latenessMillis).max().orElse(Double.NaN);
        double earliest =
                leases.stream().mapToDouble(Watched::latenessMillis).min().orElse(Double.NaN);
        List<String> lines = List.of(
                number + " renewing leases of " + Verdict.number(ttl.toMillis() / 1e3) + " s, acquired in "
                        + Verdict.number(seconds)
                        + " s; " + Verdict.number(commands / PERIODS) + " commands in a period of "
                        + Verdict.number(ttl.toMillis() / 1e3 / PERIODS) + " s.",
                "",
                "Server " + (stopped ? "stopped (state T before and after)" : "NOT STOPPED: the cut is not proven")
                        + "; " + told + " of " + number + " told exactly once, from " + Verdict.number(earliest)
                        + " ms to " + Verdict.number(latest) + " ms after their deadlines.");
        return new Section(
                "B6: " + number + " leases held",
                lines,
                List.of(
                        Verdict.atMost("B6", "renewal commands per 100 leases and period", perHundred, 1, ""),
                        Verdict.atMost("B6", "told after the deadline", latest, (double) LATENESS.toMillis(), " ms"),
                        Verdict.atLeast(
                                "B6", "told exactly once, server stopped", stopped ? (double) told : 0, number, "")));
    }
}
