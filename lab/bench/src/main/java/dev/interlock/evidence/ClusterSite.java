package dev.interlock.evidence;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Redis Cluster of three masters, each with a replica if one is to take over. */
final class ClusterSite extends Site {

    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);

    /** How long a slot is about to move: its keys have moved, and the clients are sent from one master to the other. */
    private static final Duration MOVING = Duration.ofSeconds(1);

    /** What is up goes on without what is down. */
    private static final String PARTIAL = "cluster-require-full-coverage no";

    private final RedisCluster cluster;
    private RedisServer struck;

    ClusterSite(Setup setup) {
        cluster = setup == Setup.CLUSTER_REPLICATED
                ? RedisCluster.startWithReplicas(PARTIAL, "cluster-replica-validity-factor 0")
                : RedisCluster.start(PARTIAL);
        struck = cluster.masters().get(0);
    }

    @Override
    String uri(int place) {
        return cluster.masters().stream()
                .map(master -> "127.0.0.1:" + master.port())
                .collect(Collectors.joining(",", "redis://", ""));
    }

    @Override
    List<String> leftovers() {
        return servers()
                .filter(server -> server.command("ROLE").startsWith("master"))
                .flatMap(server -> server.list("KEYS", "*").stream())
                .toList();
    }

    /** The servers are quick only now: otherwise a machine that stalls for a second would strike, too. */
    @Override
    boolean failOver() {
        int slot = slot();
        struck = cluster.ownerOf(slot);
        cluster.nodeTimeout(NODE_TIMEOUT);
        struck.kill();
        cluster.awaitNewOwner(slot, struck);
        return true;
    }

    @Override
    void repair() {
        struck.restart();
        struck.awaitReplication();
        cluster.nodeTimeout(Patience.FULL);
    }

    @Override
    boolean reshard() throws InterruptedException {
        int slot = slot();
        RedisServer from = cluster.ownerOf(slot);
        RedisServer to = cluster.masters().stream()
                .filter(server -> server != from)
                .findFirst()
                .orElseThrow();
        cluster.beginMove(slot, from, to);
        cluster.moveKeys(slot, from, to);
        TimeUnit.NANOSECONDS.sleep(MOVING.toNanos());
        cluster.moveKeys(slot, from, to);
        cluster.endMove(slot, from, to);
        return cluster.ownerOf(slot) == to;
    }

    @Override
    public void close() {
        cluster.close();
    }

    private Stream<RedisServer> servers() {
        return Stream.concat(cluster.masters().stream(), cluster.replicas().stream());
    }

    /** Of the only lock, which is held: the libraries keep all keys of a lock in one. */
    private int slot() {
        String key = servers()
                .flatMap(server -> server.list("KEYS", "*").stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Nobody has a lock in the cluster"));
        return cluster.slot(key);
    }
}
