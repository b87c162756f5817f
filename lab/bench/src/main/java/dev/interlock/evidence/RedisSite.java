package dev.interlock.evidence;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A Redis: with an append-only file that is written at once, if it is to be restarted with its data; with snapshots, if
 * its disk is to fail; with a replica, if that is to take its place.
 */
final class RedisSite extends Site {

    private RedisServer master;
    private RedisServer replica;
    private FaultProxy link;
    private final boolean isReplicated;

    private RedisSite(Setup setup) {
        isReplicated = setup == Setup.REPLICATED;
        RedisServer.Builder builder = RedisServer.builder();
        if (setup == Setup.DURABLE) {
            builder.config("appendonly yes").config("appendfsync always");
        } else if (setup == Setup.ON_DISK) {
            builder.config("save 3600 1000000");
        } else if (setup == Setup.SETTABLE_CLOCK) {
            builder.settableClock();
        }
        master = builder.start();
        replica = isReplicated ? RedisServer.start() : master;
        link = FaultProxy.to(master);
        if (isReplicated) {
            follow();
        }
        proxyTo(master.port());
    }

    /** One server, or those of Sentinels or of a cluster. */
    static Site of(Setup setup) {
        return switch (setup) {
            case SENTINELS, SENTINELS_STALE -> new SentinelSite(setup);
            case CLUSTER, CLUSTER_REPLICATED -> new ClusterSite(setup);
            default -> new RedisSite(setup);
        };
    }

    private void follow() {
        replica.command("REPLICAOF", "127.0.0.1", Integer.toString(link.port()));
        replica.awaitReplication();
    }

    RedisServer server() {
        return master;
    }

    @Override
    String uri(int place) {
        return "redis://127.0.0.1:" + proxies().get(place).port();
    }

    @Override
    List<String> leftovers() {
        return master.list("KEYS", "*");
    }

    @Override
    void freeze() {
        master.stop();
    }

    @Override
    void thaw() {
        master.cont();
    }

    @Override
    void kill() {
        master.kill();
    }

    @Override
    void restart() {
        master.restart();
    }

    @Override
    void clock(Duration ahead) {
        setClock(master::clock, () -> Long.parseLong(master.list("TIME").get(0)), ahead);
    }

    @Override
    void cutReplica() {
        link.blackHole(Direction.TO_CLIENT);
    }

    @Override
    boolean failOver() {
        boolean missed = link.heldBytes(Direction.TO_CLIENT) > 0;
        master.kill();
        link.close();
        replica.command("REPLICAOF", "NO", "ONE");
        RedisServer promoted = replica;
        proxies().forEach(proxy -> {
            proxy.redirect(promoted.port());
            proxy.reset();
        });
        replica = master;
        master = promoted;
        link = FaultProxy.to(master);
        replica.restart();
        follow();
        return missed;
    }

    /**
     * Where its snapshot should go there is a folder, so that it fails as it does when the disk is full. Then Redis
     * refuses writes, which is its default.
     */
    @Override
    void fillDisk(List<Long> clients) {
        try {
            Files.deleteIfExists(snapshot());
            Files.createDirectory(snapshot());
        } catch (IOException e) {
            throw new UncheckedIOException("The snapshot cannot be blocked", e);
        }
        saveAndAwait("err");
    }

    @Override
    boolean emptyDisk(List<Long> clients) {
        boolean hit = isWriteRefused();
        try {
            Files.delete(snapshot());
        } catch (IOException e) {
            throw new UncheckedIOException("The snapshot is still blocked", e);
        }
        saveAndAwait("ok");
        return hit;
    }

    private boolean isWriteRefused() {
        try {
            master.command("SET", "probe", "");
            master.command("DEL", "probe");
            return false;
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage()).contains("MISCONF");
        }
    }

    private Path snapshot() {
        return Path.of(master.list("CONFIG", "GET", "dir").get(1), "dump.rdb");
    }

    private void saveAndAwait(String status) {
        master.command("BGSAVE");
        Awaitility.await("a snapshot ends with " + status)
                .atMost(Patience.FULL)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> master.command("INFO", "persistence").contains("rdb_last_bgsave_status:" + status));
    }

    @Override
    public void close() {
        closeProxies();
        link.close();
        master.close();
        if (isReplicated) {
            replica.close();
        }
    }
}
