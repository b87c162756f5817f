package dev.interlock.evidence;

import dev.interlock.testkit.server.ZooKeeperEnsemble;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.server.ZooKeeperSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper, or three of them if their leader is to change. */
final class ZooKeeperSite extends Site {

    private static final int SESSION_MILLIS = 20_000;

    private final @Nullable ZooKeeperEnsemble ensemble;
    private final ZooKeeperServer server;

    ZooKeeperSite(Setup setup) {
        ensemble = setup == Setup.LEADER ? ZooKeeperEnsemble.start() : null;
        ZooKeeperSettings settings = ZooKeeperServer.settings();
        if (setup == Setup.SETTABLE_CLOCK) {
            settings.settableClock();
        }
        server = ensemble == null ? settings.start() : ensemble.servers().get(0);
        if (ensemble == null) {
            proxyTo(server.port());
        }
    }

    @Override
    String uri(int place) {
        return ensemble == null ? server.uriAt(proxies().get(place).port()) : ensemble.uri();
    }

    @Override
    List<String> leftovers() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(server.connectString(), SESSION_MILLIS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        try {
            if (!connected.await(SESSION_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("ZooKeeper does not answer");
            }
            return ZKUtil.listSubTreeBFS(client, "/").stream()
                    .filter(path -> !path.equals("/") && !path.startsWith("/zookeeper"))
                    .toList();
        } finally {
            client.close();
        }
    }

    @Override
    void freeze() {
        server.stop();
    }

    @Override
    void thaw() {
        server.cont();
    }

    @Override
    void kill() {
        server.kill();
    }

    @Override
    void restart() {
        server.restart();
    }

    @Override
    void clock(Duration ahead) {
        server.clock(ahead);
    }

    @Override
    void changeLeader() {
        ZooKeeperEnsemble servers = ensemble;
        if (servers == null) {
            throw new IllegalStateException("One server has no leader");
        }
        ZooKeeperServer before = servers.awaitLeader();
        before.kill();
        servers.awaitLeaderOtherThan(before);
        before.launchAgain();
        servers.awaitWhole();
    }

    @Override
    public void close() {
        closeProxies();
        if (ensemble == null) {
            server.close();
        } else {
            ensemble.close();
        }
    }
}
