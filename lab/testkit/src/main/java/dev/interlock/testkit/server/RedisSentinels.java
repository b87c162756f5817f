package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A master, two replicas, and three Sentinels that watch over them, on loopback. Two Sentinels must agree that a master
 * is gone.
 */
public final class RedisSentinels implements AutoCloseable {

    /** The name of the master. */
    public static final String MASTER = "themaster";

    private static final int REPLICAS = 2;
    private static final int SENTINELS = 3;
    private static final Duration PATIENCE = Patience.FULL;
    private static final String DOWN_AFTER = "down-after-milliseconds";

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private final String password;

    private RedisSentinels(String password, String... config) {
        this.password = password;
        try {
            servers.add(server(config));
            int port = servers.get(0).port();
            for (int i = 0; i < REPLICAS; i++) {
                String[] more = Arrays.copyOf(config, config.length + 1);
                more[config.length] = "replicaof 127.0.0.1 " + port;
                servers.add(server(more));
            }
            servers.subList(1, servers.size()).forEach(RedisServer::awaitReplication);
            for (int i = 0; i < SENTINELS; i++) {
                sentinels.add(sentinel(port));
            }
            awaitAgreement();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts all of them, and returns when the Sentinels know the replicas and each other.
     *
     * @param config lines of the configuration of each server
     */
    public static RedisSentinels start(String... config) {
        return new RedisSentinels("", config);
    }

    /** The same, with one password for all of them. */
    public static RedisSentinels startWithPassword(String password) {
        return new RedisSentinels(password, "masterauth " + password);
    }

    /** The servers with data; the first is the master at the start. */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /** The Sentinels. */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /** {@code redis-sentinel://} with all Sentinels and the master's name, and the password if they have one. */
    public String uri() {
        String credentials = password.isEmpty() ? "" : ":" + password + "@";
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://" + credentials, "/" + MASTER));
    }

    /** The server that the first Sentinel calls the master. */
    public RedisServer master() {
        String port = masterPort(sentinels.get(0));
        return servers.stream()
                .filter(server -> port.equals(Integer.toString(server.port())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Unknown to this test: port=" + port));
    }

    /** Lets the Sentinels make another server the master; returns when it is, and all others follow it. */
    public void failOver() {
        RedisServer before = master();
        Awaitility.await("another master by order")
                .atMost(PATIENCE.multipliedBy(2))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> {
                    order(before);
                    return isReplaced(before);
                });
        // The Sentinels tell it themselves, but ten seconds later.
        before.command("REPLICAOF", "127.0.0.1", Integer.toString(master().port()));
        servers.stream().filter(server -> server != master()).forEach(RedisSentinels::awaitReplica);
    }

    /**
     * Again, if need be: a failover that a busy machine holds up is given up, and with the master well the Sentinels
     * begin no other by themselves.
     */
    private void order(RedisServer before) {
        RedisServer first = sentinels.get(0);
        boolean under = first.command("SENTINEL", "MASTER", MASTER).contains("failover_in_progress");
        if (!under && masterPort(first).equals(Integer.toString(before.port()))) {
            first.command("SENTINEL", "FAILOVER", MASTER);
        }
    }

    /**
     * Sets after which silence the Sentinels take a master for dead: five minutes by default, since nobody else is to
     * become the master because the machine stalls.
     */
    public void downAfter(Duration silence) {
        String millis = Long.toString(silence.toMillis());
        sentinels.forEach(sentinel -> sentinel.command("SENTINEL", "SET", MASTER, DOWN_AFTER, millis));
    }

    /** Waits until another server than this one is the master, by its own word and that of all Sentinels. */
    public void awaitNewMaster(RedisServer before) {
        Awaitility.await("another master")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> isReplaced(before));
    }

    private boolean isReplaced(RedisServer before) {
        boolean agreed =
                sentinels.stream().map(RedisSentinels::masterPort).distinct().count() == 1;
        // Asked once: the next answer may be the old one again, and that may be stopped and say nothing.
        RedisServer now = master();
        return agreed && now != before && now.command("ROLE").startsWith("master");
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }

    private static void awaitReplica(RedisServer server) {
        Awaitility.await("the others follow")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> server.command("ROLE").startsWith("slave")
                        && server.command("ROLE").contains("connected"));
    }

    private RedisServer server(String... config) {
        RedisServer.Builder builder = RedisServer.builder().password(password);
        Arrays.stream(config).forEach(builder::config);
        return builder.start();
    }

    private RedisServer sentinel(int port) {
        RedisServer.Builder builder = RedisServer.builder()
                .asSentinel()
                .password(password)
                .config("sentinel monitor " + MASTER + " 127.0.0.1 " + port + " 2")
                .config("sentinel " + DOWN_AFTER + " " + MASTER + " " + PATIENCE.toMillis())
                .config("sentinel failover-timeout " + MASTER + " 3000")
                .config("sentinel parallel-syncs " + MASTER + " 2");
        if (!password.isEmpty()) {
            builder.config("sentinel auth-pass " + MASTER + " " + password);
        }
        return builder.start();
    }

    private void awaitAgreement() {
        for (RedisServer sentinel : sentinels) {
            Awaitility.await("the Sentinels know each other")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> sentinel.command("INFO", "sentinel")
                            .contains("slaves=" + REPLICAS + ",sentinels=" + SENTINELS));
        }
    }

    private static String masterPort(RedisServer sentinel) {
        List<String> pairs = sentinel.list("SENTINEL", "MASTER", MASTER);
        return pairs.get(pairs.indexOf("port") + 1);
    }
}
