package dev.interlock.evidence;

import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.RedisServer;
import java.util.List;

/**
 * A Redis: with an append-only file that is written at once, if it is to be restarted with its data; with a replica.
 */
final class RedisSite extends Site {

    private RedisServer master;
    private RedisServer replica;
    private FaultProxy link;
    private final boolean isReplicated;

    RedisSite(Fault fault) {
        isReplicated = fault == Fault.FAILOVER;
        master = fault == Fault.RESTART
                ? RedisServer.builder()
                        .config("appendonly yes")
                        .config("appendfsync always")
                        .start()
                : RedisServer.start();
        replica = isReplicated ? RedisServer.start() : master;
        link = FaultProxy.to(master);
        if (isReplicated) {
            follow();
        }
        proxyTo(master.port());
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
    void restart() {
        master.restart();
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
