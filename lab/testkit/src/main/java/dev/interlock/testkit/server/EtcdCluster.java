package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** Three members of one etcd, each a process of its own. */
public final class EtcdCluster implements AutoCloseable {

    private static final int MEMBERS = 3;
    private static final int ATTEMPTS = 3;

    private final List<EtcdServer> members;

    private EtcdCluster(List<EtcdServer> members) {
        this.members = members;
    }

    /** Starts all and returns when they answer. */
    public static EtcdCluster start() {
        for (int attempt = 1; ; attempt++) {
            Queue<EtcdServer> started = new ConcurrentLinkedQueue<>();
            try {
                return start(started);
            } catch (RuntimeException e) {
                started.forEach(EtcdServer::close);
                // Between finding a free port and binding it, another process may have taken it.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** @param started receives each member that answers */
    private static EtcdCluster start(Queue<EtcdServer> started) {
        List<EtcdServer> members = new ArrayList<>();
        try {
            for (int i = 0; i < MEMBERS; i++) {
                members.add(new EtcdServer(null));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("No etcd for the test", e);
        }
        String all = members.stream().map(EtcdServer::peer).collect(Collectors.joining(","));
        members.forEach(member -> member.joins(all));
        // None answers before a majority does, so none may wait for the thread of another.
        Executor threads = task -> new Thread(task, "start-etcd").start();
        CompletableFuture.allOf(members.stream()
                        .map(member ->
                                CompletableFuture.runAsync(() -> started.add(LocalServer.start(() -> member)), threads))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        return new EtcdCluster(members);
    }

    /** The members. */
    public List<EtcdServer> members() {
        return members;
    }

    /** The one that leads, of those that run. */
    public EtcdServer leader() {
        return Awaitility.await("a leader")
                .atMost(Patience.FULL)
                .until(
                        () -> members.stream()
                                .filter(member -> member.answers() && member.isLeader())
                                .findFirst(),
                        found -> found.isPresent())
                .orElseThrow();
    }

    /** {@code 127.0.0.1:port,127.0.0.1:port,...}. */
    public String hosts() {
        return members.stream().map(EtcdServer::host).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        members.forEach(EtcdServer::close);
    }
}
