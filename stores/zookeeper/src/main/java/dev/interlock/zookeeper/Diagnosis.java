package dev.interlock.zookeeper;

import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.Paths;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** What a session shows of the ensemble, for people. On the event loop. */
final class Diagnosis {

    /** Where the servers write their own list; everybody may read it, unless an administrator has changed that. */
    private static final String CONFIGURATION = "/zookeeper/config";

    private final Settings settings;
    private final Paths paths;

    Diagnosis(Settings settings, Paths paths) {
        this.settings = settings;
        this.paths = paths;
    }

    /** The time of the leader, from a node that is created and deleted. */
    CompletableFuture<Long> clock(Session now) {
        String base = settings.base();
        return now.containers(paths.base()).thenCompose(made -> {
            String path = base + "/%clock-" + UUID.randomUUID();
            CompletableFuture<Long> time = now.create(path, new byte[0], CreateMode.EPHEMERAL)
                    .thenApply(node -> node.stat().getCtime());
            var unused = now.delete(path).exceptionally(failure -> false);
            return time;
        });
    }

    CompletableFuture<List<Finding>> findings(Session now) {
        CompletableFuture<NodeData> configuration = now.read(CONFIGURATION, null);
        CompletableFuture<List<ACL>> list = now.acls(paths.base());
        return Futures.all(List.of(configuration, list)).handle((done, failure) -> {
            Examination found = new Examination();
            found.attempt("topology", "let everybody read " + CONFIGURATION, () -> {
                topology(new String(configuration.get().data(), StandardCharsets.UTF_8), found);
            });
            session(now.timeout(), found);
            found.attempt("rights", "", () -> rights(list.get(), found));
            path(found);
            return found.findings();
        });
    }

    private static void topology(String configuration, Examination found) {
        long voting = configuration
                .lines()
                .filter(line -> line.startsWith("server.") && !line.contains("observer"))
                .count();
        if (voting <= 1) {
            found.note(
                    "failover",
                    "one server: while it is down, nobody acquires a lock, and sessions end if it takes too long",
                    "use three servers if that may not be");
        } else if (voting == 2) {
            found.warn(
                    "failover", "two servers: one that is down stops both, and all locks", "three go on without one");
        } else {
            found.good(
                    "failover",
                    "a failover forgets no lock: a majority of " + voting + " servers has each; " + (voting - 1) / 2
                            + " may be down");
        }
    }

    private void session(Duration granted, Examination found) {
        Duration asked = settings.session();
        if (granted.compareTo(asked) == 0 || settings.servers().isEmpty()) {
            found.good("session", "a process that dies keeps its locks for " + granted.toMillis() + " ms");
        } else {
            found.note(
                    "session",
                    "a process that dies keeps its locks for " + granted.toMillis() + " ms, not for the "
                            + asked.toMillis() + " ms of the URI",
                    "set minSessionTimeout and maxSessionTimeout of the servers");
        }
    }

    private static void rights(List<ACL> list, Examination found) {
        boolean open = list.stream()
                .anyMatch(entry -> entry.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE)
                        && (entry.getPerms() & ZooDefs.Perms.DELETE) != 0);
        if (open) {
            found.note(
                    "rights",
                    "everybody who reaches the servers may release any lock",
                    "put a user and a password into the URI, zk://user:password@host, and use a path of its own");
        } else {
            found.good("rights", "only some may delete the nodes of locks");
        }
    }

    private void path(Examination found) {
        if (settings.base().isEmpty()) {
            found.warn(
                    "path",
                    "the locks are below the root: each server keeps a little memory for each name ever used",
                    "give the URI a path: zk://host/locks");
        } else {
            found.good("path", settings.base());
        }
    }
}
