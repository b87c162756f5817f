package dev.interlock.bench;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The row about a stopped replica: the time to release locks that one of two replicas must confirm, while both run and
 * while one is stopped. The two cases alternate in short turns, so that anything that slows the machine down for a
 * second slows both.
 */
final class FrozenReplica {

    private static final double LAST = 0.99;
    private static final double TOLERANCE = 1.1;

    /** Turns of each of the two in a round. */
    private static final int TURNS = 16;

    private final Settings settings;

    FrozenReplica(Settings settings) {
        this.settings = settings;
    }

    Section run() {
        try (RedisServer master = RedisServer.start();
                RedisServer steady = replica(master);
                RedisServer frozen = replica(master);
                Interlock client = Interlock.connect(master.uri() + "?replicas=1&replicaTimeout=PT1S")) {
            steady.awaitReplication();
            frozen.awaitReplication();
            releases(client, settings.warmUp());
            List<Double> running = new ArrayList<>();
            List<Double> stopped = new ArrayList<>();
            boolean proven = true;
            for (int turn = 0; turn < settings.rounds() * TURNS; turn++) {
                boolean stoppedFirst = turn % 2 == 1;
                if (!stoppedFirst) {
                    running.add(turn(client));
                }
                frozen.stop();
                stopped.add(turn(client));
                proven &= frozen.state() == 'T';
                frozen.cont();
                frozen.awaitReplication();
                if (stoppedFirst) {
                    running.add(turn(client));
                }
            }
            return section(Median.of(running), Median.of(stopped), proven);
        }
    }

    private static RedisServer replica(RedisServer master) {
        return RedisServer.builder()
                .config("replicaof 127.0.0.1 " + master.port())
                .config("repl-diskless-sync-delay 0")
                .start();
    }

    private static Histogram releases(Interlock client, Duration time) {
        DistributedLock lock = client.lock("bench:B14");
        Histogram releases = new Histogram();
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < until) {
            long begin;
            lock.lock();
            try {
                begin = System.nanoTime();
            } finally {
                lock.unlock();
            }
            releases.record(System.nanoTime() - begin);
        }
        return releases;
    }

    /** The p99 of a turn in milliseconds. */
    private double turn(Interlock client) {
        return releases(client, settings.time().dividedBy(TURNS)).percentile(LAST) / 1e6;
    }

    private static Section section(double running, double stopped, boolean proven) {
        return new Section(
                "B14: one of two replicas stopped",
                List.of("p99 of a release: " + Verdict.number(running) + " ms while both run, "
                        + Verdict.number(stopped) + " ms while one is stopped" + (proven ? "" : ", which it was NOT")),
                List.of(Verdict.atMost(
                        "B14",
                        "p99 of a release with one of two replicas stopped",
                        proven ? stopped : Double.NaN,
                        running * TOLERANCE,
                        " ms")));
    }
}
