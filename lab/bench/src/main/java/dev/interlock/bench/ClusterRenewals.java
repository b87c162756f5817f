package dev.interlock.bench;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The row about many leases on a cluster of three masters: the commands that each master gets for their renewal. */
final class ClusterRenewals {

    private static final int UNDER_WAY = 256;
    private static final int PERIODS = 3;

    private final int number;
    private final Duration ttl;

    ClusterRenewals(int number, Duration ttl) {
        this.number = number;
        this.ttl = ttl;
    }

    /** Takes about two lengths of the lease, and what a cluster takes to start. */
    Section run() {
        try (RedisCluster cluster = RedisCluster.start();
                Interlock client = Interlock.connect(cluster.uri())) {
            List<Lease> leases = acquire(client);
            // The first renewals follow the acquisitions' own rhythm.
            Pause.of(ttl);
            cluster.masters().forEach(master -> master.command("CONFIG", "RESETSTAT"));
            Pause.of(ttl);
            List<String> lines = new ArrayList<>();
            double most = 0;
            for (RedisServer master : cluster.masters()) {
                double commands = (double) master.calls("evalsha") / PERIODS;
                long held = held(master);
                most = Math.max(most, commands / (held / 100.0));
                lines.add("* a master with " + held + " leases: " + Verdict.number(commands)
                        + " commands in a period of " + Verdict.number(ttl.toMillis() / 1e3 / PERIODS) + " s");
            }
            long valid = leases.stream().filter(Lease::isValid).count();
            return new Section(
                    "B13: " + number + " leases held on a cluster of three masters",
                    lines,
                    List.of(
                            Verdict.atMost("B13", "renewal commands per 100 leases, node and period", most, 1, ""),
                            Verdict.atLeast("B13", "leases held all the time", (double) valid, number, "")));
        }
    }

    private List<Lease> acquire(Interlock client) {
        LeaseTerm term = LeaseTerm.renewing(ttl);
        List<Lease> leases = new ArrayList<>();
        for (int from = 0; from < number; from += UNDER_WAY) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = from; i < Math.min(number, from + UNDER_WAY); i++) {
                asked.add(client.lock("bench:B13:" + i).acquireAsync(term).toCompletableFuture());
            }
            asked.forEach(
                    lease -> leases.add(lease.orTimeout(60, TimeUnit.SECONDS).join()));
        }
        return leases;
    }

    private static long held(RedisServer master) {
        return master.list("KEYS", "bench:B13:*").size();
    }
}
