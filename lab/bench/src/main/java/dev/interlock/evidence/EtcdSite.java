package dev.interlock.evidence;

import dev.interlock.testkit.server.EtcdCluster;
import dev.interlock.testkit.server.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An etcd, or three of them if their leader is to change. */
final class EtcdSite extends Site {

    private final @Nullable EtcdCluster cluster;
    private final EtcdServer server;

    EtcdSite(Setup setup) {
        cluster = setup == Setup.LEADER ? EtcdCluster.start() : null;
        server = cluster == null ? EtcdServer.start() : cluster.members().get(0);
        if (cluster == null) {
            proxyTo(server.port());
        }
    }

    @Override
    String uri(int place) {
        return "etcd://"
                + (cluster == null ? "127.0.0.1:" + proxies().get(place).port() : cluster.hosts());
    }

    @Override
    List<String> leftovers() throws Exception {
        String etcdctl = EtcdServer.command("etcdctl")
                .orElseThrow(() -> new IllegalStateException("etcdctl is not installed"))
                .toString();
        ProcessBuilder command = new ProcessBuilder(
                etcdctl, "--endpoints", "http://" + server.host(), "get", "", "--prefix", "--keys-only");
        command.environment().put("ETCDCTL_API", "3");
        Process process = command.start();
        String keys = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return keys.lines().filter(key -> !key.isEmpty()).toList();
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
    void changeLeader() {
        EtcdCluster servers = cluster;
        if (servers == null) {
            throw new IllegalStateException("One server has no leader");
        }
        EtcdServer before = servers.leader();
        before.kill();
        servers.leader();
        before.restart();
    }

    @Override
    public void close() {
        closeProxies();
        if (cluster == null) {
            server.close();
        } else {
            cluster.close();
        }
    }
}
