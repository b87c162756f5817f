package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A Redis Cluster of its own for a test: three masters with a third of the slots each, on loopback, and a replica for
 * each if wanted.
 */
public final class RedisCluster implements AutoCloseable {

    /** How many parts the keys have. */
    public static final int SLOTS = 16_384;

    private static final int MASTERS = 3;

    /** Redis' own pace: its servers tell each other who has what once a second or so. */
    private static final Duration PATIENCE = Patience.FULL;

    private static final String NODE_TIMEOUT = "cluster-node-timeout";

    /** Between two moves of a slot: of those that follow each other at once the servers may not come to one mind. */
    private static final Duration SETTLING = Duration.ofMillis(10);

    private final List<RedisServer> masters = new ArrayList<>();
    private final List<RedisServer> replicas = new ArrayList<>();

    private RedisCluster(boolean replicated, String... config) {
        try {
            for (int i = 0; i < (replicated ? 2 * MASTERS : MASTERS); i++) {
                (i < MASTERS ? masters : replicas).add(server(config));
            }
            for (int i = 0; i < MASTERS; i++) {
                addSlots(masters.get(i), i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS);
                masters.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            }
            meet();
            replicate();
            awaitOk();
            if (Arrays.stream(config).noneMatch(line -> line.startsWith(NODE_TIMEOUT))) {
                // Nobody is taken for dead because the machine stalls.
                nodeTimeout(PATIENCE);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Three masters.
     *
     * @param config lines of the configuration of each server
     */
    public static RedisCluster start(String... config) {
        return new RedisCluster(false, config);
    }

    /** Three masters, and a replica for each. */
    public static RedisCluster startWithReplicas(String... config) {
        return new RedisCluster(true, config);
    }

    /** The servers that are masters at the start, in the order of their slots. */
    public List<RedisServer> masters() {
        return List.copyOf(masters);
    }

    /** The servers that are replicas at the start, in the order of their masters. */
    public List<RedisServer> replicas() {
        return List.copyOf(replicas);
    }

    /** The URI of the first server. */
    public String uri() {
        return masters.get(0).uri();
    }

    /** The slot of a key. */
    public int slot(String key) {
        return Integer.parseInt(masters.get(0).command("CLUSTER", "KEYSLOT", key));
    }

    /** The server that had this key's slot at the start. */
    public RedisServer masterOf(String key) {
        return masters.get(slot(key) * MASTERS / SLOTS);
    }

    /** The server that has this slot now, by its own word. */
    public RedisServer ownerOf(int slot) {
        return servers(slot).findFirst().orElseThrow(() -> new IllegalStateException("Nobody has slot " + slot));
    }

    /** Waits until another server than this one, which is gone, has the slot. */
    public void awaitNewOwner(int slot, RedisServer before) {
        Awaitility.await("another has the slot")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> servers(slot).anyMatch(server -> server != before));
    }

    private Stream<RedisServer> servers(int slot) {
        return all().stream().filter(server -> hasSlot(server, slot));
    }

    private static boolean hasSlot(RedisServer server, int slot) {
        try {
            return id(server).equals(owner(server, slot));
        } catch (UncheckedIOException e) {
            // It is down, and has nothing.
            return false;
        }
    }

    /** A name with this beginning that belongs to this master. */
    public String nameAt(RedisServer master, String beginning) {
        for (int i = 0; ; i++) {
            if (masterOf(beginning + i) == master) {
                return beginning + i;
            }
        }
    }

    /** The id by which the others know a server. */
    public static String id(RedisServer server) {
        return server.command("CLUSTER", "MYID");
    }

    /** Lets a slot begin to move: from now on each key is at one of the two. */
    public void beginMove(int slot, RedisServer from, RedisServer to) {
        to.command("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
    }

    /** Moves the keys that the slot has now. */
    public void moveKeys(int slot, RedisServer from, RedisServer to) {
        List<String> keys = from.list("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "10000");
        if (!keys.isEmpty()) {
            List<String> words = new ArrayList<>(
                    List.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", "300000", "KEYS"));
            words.addAll(keys);
            from.command(words.toArray(String[]::new));
        }
    }

    /** Ends the move: the slot belongs to the second from now on. Returns when all masters know it. */
    public void endMove(int slot, RedisServer from, RedisServer to) {
        for (RedisServer server : List.of(to, from)) {
            server.command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id(to));
        }
        String owner = id(to);
        for (RedisServer master : masters) {
            Awaitility.await("everybody knows of the move")
                    .atMost(PATIENCE)
                    .pollDelay(SETTLING)
                    .pollInterval(SETTLING)
                    .until(() -> owner.equals(owner(master, slot)));
        }
    }

    /**
     * Who has the slot as this server sees it; empty if nobody. The slots of a line stand behind its first eight words.
     */
    private static String owner(RedisServer server, int slot) {
        for (String line : server.command("CLUSTER", "NODES").lines().toList()) {
            List<String> words = List.of(line.split(" ", -1));
            for (String range : words.subList(Math.min(8, words.size()), words.size())) {
                String[] ends = range.split("-", -1);
                if (!range.startsWith("[")
                        && Integer.parseInt(ends[0]) <= slot
                        && slot <= Integer.parseInt(ends[ends.length - 1])) {
                    return words.get(0);
                }
            }
        }
        return "";
    }

    /** Sets after which silence a server is taken for dead, which five minutes are by default. All must answer. */
    public void nodeTimeout(Duration silence) {
        all().forEach(server -> server.command("CONFIG", "SET", NODE_TIMEOUT, Long.toString(silence.toMillis())));
    }

    /** How often clients and scripts have called this command (in lower case) on all masters together. */
    public long calls(String command) {
        return masters.stream().mapToLong(server -> server.calls(command)).sum();
    }

    @Override
    public void close() {
        masters.forEach(RedisServer::close);
        replicas.forEach(RedisServer::close);
    }

    private static RedisServer server(String... config) {
        RedisServer.Builder builder =
                RedisServer.builder().forCluster().config("cluster-enabled yes").config(NODE_TIMEOUT + " 2000");
        Arrays.stream(config).forEach(builder::config);
        return builder.start();
    }

    private static void addSlots(RedisServer server, int from, int to) {
        List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        for (int slot = from; slot < to; slot++) {
            words.add(Integer.toString(slot));
        }
        server.command(words.toArray(String[]::new));
    }

    private List<RedisServer> all() {
        List<RedisServer> all = new ArrayList<>(masters);
        all.addAll(replicas);
        return all;
    }

    private void meet() {
        List<RedisServer> all = all();
        for (RedisServer server : all) {
            for (RedisServer other : all) {
                if (server != other) {
                    server.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
                }
            }
        }
        all.forEach(server -> awaitInfo(server, "cluster_known_nodes:" + all.size()));
    }

    private void replicate() {
        for (int i = 0; i < replicas.size(); i++) {
            String master = id(masters.get(i));
            RedisServer replica = replicas.get(i);
            Awaitility.await("the replica knows its master")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> replica.command("CLUSTER", "REPLICATE", master).equals("OK"));
        }
        replicas.forEach(RedisServer::awaitReplication);
    }

    private void awaitOk() {
        all().forEach(server -> awaitInfo(server, "cluster_state:ok"));
        all().forEach(server -> awaitInfo(server, "cluster_slots_ok:" + SLOTS));
    }

    private static void awaitInfo(RedisServer server, String line) {
        Awaitility.await(line)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> server.command("CLUSTER", "INFO").lines().anyMatch(line::equals));
    }
}
