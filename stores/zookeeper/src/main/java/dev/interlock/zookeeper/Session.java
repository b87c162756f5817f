package dev.interlock.zookeeper;

import dev.interlock.spi.Tether;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Futures;
import dev.interlock.support.SessionTether;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.Paths;
import dev.interlock.zookeeper.node.ServerClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session with ZooKeeper: its requests, and how long it is certain to live. Requests are answered on the event
 * loop, in the order in which they were sent. Requests that are sent without waiting in between travel together.
 *
 * <p>Guarded by the event loop, except for the tether.
 */
final class Session {

    /** This many operations always fit into one request. */
    private static final int FEW = 100;

    private final ZooKeeper zk;
    private final BooleanSupplier open;
    private final EventLoop loop;
    private final ACLProvider acl;
    private final Settings.Doubt doubt;
    private final Consumer<Exception> refusals;
    private final long id;
    private SessionTether tether;
    private boolean over;

    /**
     * Whether the servers close each connection because they demand a login. Every request that is under way then
     * fails, but only the first one with the reason.
     */
    private boolean loginDemanded;

    private @Nullable ServerClock clock;

    /**
     * The session of this handle.
     *
     * @param open whether the client of the session is open; any thread may call it
     * @param settings the access lists of new nodes, and when leases end
     * @param refusals receives the failure of each request for which a right is missing, whoever has sent it
     */
    Session(ZooKeeper zk, BooleanSupplier open, EventLoop loop, Settings settings, Consumer<Exception> refusals) {
        this.zk = zk;
        this.open = open;
        this.loop = loop;
        this.acl = settings.acl();
        this.doubt = settings.doubt();
        this.refusals = refusals;
        this.id = zk.getSessionId();
        this.tether = new SessionTether(Duration.ZERO, doubt.percent(), System.nanoTime(), open);
    }

    /** A node that was created. */
    record CreatedNode(String path, Stat stat) {}

    boolean isOf(ZooKeeper handle) {
        return zk == handle && id == handle.getSessionId();
    }

    /** Whether a node is of this session, and not of an earlier one of this client that the servers still know. */
    boolean owns(Stat stat) {
        return stat.getEphemeralOwner() == id;
    }

    /** Whether it has ended. */
    boolean isOver() {
        return over;
    }

    /** Ends the session, and cuts its tether. */
    void end() {
        over = true;
        tether.cut();
    }

    /**
     * The connection is interrupted. Cuts the tether if that is the end of the leases; returns whether it is. The next
     * answer of the leader begins a new tether.
     */
    boolean suspend() {
        if (doubt.atSuspended()) {
            tether.cut();
        }
        return doubt.atSuspended();
    }

    boolean isLoginDemanded() {
        return loginDemanded;
    }

    /** The time-out that the servers have granted. */
    Duration timeout() {
        return Duration.ofMillis(zk.getSessionTimeout());
    }

    /** The options of ZooKeeper's own client. */
    ZKClientConfig options() {
        return zk.getClientConfig();
    }

    /** The length in bytes of the longest answer that the client accepts; at a longer one it breaks the connection. */
    int longestAnswer() {
        return options().getInt(ZKConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
    }

    /**
     * Whether this many nodes of claims fit into one answer, at 62 bytes for the longest, beside those that others
     * create at the same moment.
     */
    boolean hasRoomFor(int nodes) {
        return nodes <= longestAnswer() / 72;
    }

    /**
     * Whether the servers accept these operations in one request: at a request longer than their
     * {@code jute.maxbuffer}, which should be the client's, they break the connection.
     */
    boolean hasRoomFor(List<Op> ops) {
        if (ops.size() <= FEW) {
            return true;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            new MultiOperationRecord(ops).serialize(BinaryOutputArchive.getArchive(bytes), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // The client's own root is added to each path.
        return bytes.size() <= longestAnswer() / 10L * 9;
    }

    /** How long the session is certain to live. A proof that comes too late begins a new tether. */
    Tether tether() {
        return tether;
    }

    /** The time of the servers; null if it is not known yet. */
    @Nullable
    ServerClock clock() {
        return clock;
    }

    /**
     * Learns the time of the servers, if it is not known, from a node that is created beside this lock and deleted.
     * Without the right to create it the time stays unknown.
     */
    CompletableFuture<Boolean> learnClock(String lock) {
        if (clock != null) {
            return CompletableFuture.completedFuture(true);
        }
        String path = lock.substring(0, lock.lastIndexOf('/') + 1) + "%clock-" + UUID.randomUUID();
        CompletableFuture<Boolean> made =
                create(path, new byte[0], CreateMode.EPHEMERAL).handle((node, failure) -> failure == null);
        var unused = delete(path).exceptionally(failure -> false);
        return made;
    }

    /** The leader has answered a request that was sent then. */
    private void proved(long sentNanos) {
        if (!over && !tether.move(sentNanos)) {
            // The claims of the old tether are lost, whatever the servers say.
            tether = new SessionTether(timeout(), doubt.percent(), sentNanos, open);
        }
    }

    // ---- requests

    /** Creates a node. */
    CompletableFuture<CreatedNode> create(String path, byte[] data, CreateMode mode) {
        CompletableFuture<CreatedNode> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        zk.create(
                path,
                data,
                acl(path),
                mode,
                (code, asked, context, name, stat) -> complete(answer, code, "create", path, () -> {
                    proved(sent);
                    clock = new ServerClock(stat.getCtime(), System.nanoTime());
                    return new CreatedNode(name, stat);
                }),
                null);
        return answer;
    }

    /** The names of the children; the watcher, if there is one, receives the next change of them. */
    CompletableFuture<List<String>> children(String path, @Nullable Watcher watcher) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        zk.getChildren(
                path,
                watcher,
                (code, asked, context, children, stat) -> complete(answer, code, "read", path, () -> children),
                null);
        return answer;
    }

    /** The children of a node, and its status: with that, which of them are newer than this answer. */
    record ChildNodes(List<String> names, Stat stat) {}

    /** The children of the node, if it exists. */
    CompletableFuture<Optional<ChildNodes>> childNodes(String path) {
        CompletableFuture<Optional<ChildNodes>> answer = new CompletableFuture<>();
        zk.getChildren(
                path,
                null,
                (code, asked, context, children, stat) -> complete(
                        answer, code, "read", path, () -> Optional.of(new ChildNodes(List.copyOf(children), stat))),
                null);
        return orElse(answer, Code.NONODE, Optional.empty());
    }

    /** The names of the children; none if the node does not exist. */
    CompletableFuture<List<String>> childrenOrNone(String path) {
        return orElse(children(path, null), Code.NONODE, List.of());
    }

    /** The node; the watcher, if there is one, receives the next change of it. */
    CompletableFuture<NodeData> read(String path, @Nullable Watcher watcher) {
        CompletableFuture<NodeData> answer = new CompletableFuture<>();
        zk.getData(
                path,
                watcher,
                (code, asked, context, data, stat) -> complete(
                        answer, code, "read", path, () -> new NodeData(data == null ? new byte[0] : data, stat)),
                null);
        return answer;
    }

    /** The node, if it exists. */
    CompletableFuture<Optional<NodeData>> readIfThere(String path) {
        return readIfThere(path, null);
    }

    /** The node, if it exists; only then it is watched. */
    CompletableFuture<Optional<NodeData>> readIfThere(String path, @Nullable Watcher watcher) {
        return orElse(read(path, watcher).thenApply(Optional::of), Code.NONODE, Optional.empty());
    }

    /** The node, if it exists. That it does not is not decided by a server that lags behind. */
    CompletableFuture<Optional<NodeData>> readCertainly(String path, @Nullable Watcher watcher) {
        return readIfThere(path, watcher).thenCompose(read -> {
            if (read.isPresent()) {
                return CompletableFuture.completedFuture(read);
            }
            CompletableFuture<Boolean> proved = prove("/");
            return readIfThere(path, watcher).thenCombine(proved, (later, done) -> later);
        });
    }

    /** Whether the node exists. */
    CompletableFuture<Boolean> exists(String path) {
        return stat(path).thenApply(Optional::isPresent);
    }

    /** The status of the node, if it exists. */
    CompletableFuture<Optional<Stat>> stat(String path) {
        return stat(path, null);
    }

    /** The status of the node, if it exists; the watcher, if there is one, also learns that it is created. */
    CompletableFuture<Optional<Stat>> stat(String path, @Nullable Watcher watcher) {
        CompletableFuture<Optional<Stat>> answer = new CompletableFuture<>();
        zk.exists(
                path,
                watcher,
                (code, asked, context, stat) -> {
                    boolean absent = code == Code.NONODE.intValue();
                    complete(
                            answer,
                            absent ? Code.OK.intValue() : code,
                            "read",
                            path,
                            () -> absent ? Optional.empty() : Optional.of(stat));
                },
                null);
        return answer;
    }

    /**
     * Forgets the watch of a node in this process. The server keeps it until something happens to the node, or the
     * connection ends: it can only drop all watches of a client on a node, and some may be the application's.
     */
    void unwatch(String path, Watcher watcher) {
        zk.removeWatches(path, watcher, WatcherType.Data, true, (code, asked, context) -> {}, null);
    }

    /** The access list of a node. */
    CompletableFuture<List<ACL>> acls(String path) {
        CompletableFuture<List<ACL>> answer = new CompletableFuture<>();
        zk.getACL(
                path,
                null,
                (code, asked, context, list, stat) -> complete(answer, code, "read", path, () -> list),
                null);
        return answer;
    }

    /** Deletes the node. Returns whether it existed. */
    CompletableFuture<Boolean> delete(String path) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        zk.delete(
                path,
                -1,
                (code, asked, context) -> {
                    boolean absent = code == Code.NONODE.intValue();
                    complete(answer, absent ? Code.OK.intValue() : code, "delete", path, () -> {
                        proved(sent);
                        return !absent;
                    });
                },
                null);
        return answer;
    }

    /** Writes a node of this version; -1 for any. */
    CompletableFuture<Stat> write(String path, byte[] data, int version) {
        CompletableFuture<Stat> answer = new CompletableFuture<>();
        zk.setData(
                path,
                data,
                version,
                (code, asked, context, stat) -> complete(answer, code, "set", path, () -> stat),
                null);
        return answer;
    }

    /** Executes all operations or none. A failure names the operation that has failed. */
    CompletableFuture<List<OpResult>> multi(List<Op> ops) {
        CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        zk.multi(
                ops,
                (code, asked, context, results) -> {
                    Op at = ops.get(failed(results));
                    String what = at.getType() == ZooDefs.OpCode.delete ? "delete" : "create";
                    complete(answer, code, what, at.getPath(), () -> {
                        proved(sent);
                        return results;
                    });
                },
                null);
        return answer;
    }

    /** Which operation has failed, and all others with it; the first if none has, or nobody knows. */
    private static int failed(@Nullable List<OpResult> results) {
        for (int i = 0; results != null && i < results.size(); i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.OK.intValue()) {
                return i;
            }
        }
        return 0;
    }

    /** Proves with the leader that the session lives. Later reads are not older than this. */
    CompletableFuture<Boolean> prove(String path) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        zk.sync(
                path,
                (code, asked, context) -> complete(answer, code, "read", path, () -> {
                    proved(sent);
                    return true;
                }),
                null);
        return answer;
    }

    /** The access list of a node that is created at this path. */
    List<ACL> acl(String path) {
        List<ACL> own = acl.getAclForPath(path);
        return own == null ? acl.getDefaultAcl() : own;
    }

    /**
     * Creates a node and its parents as containers, which the servers remove some time after they have become empty.
     */
    CompletableFuture<Boolean> containers(String path) {
        if (path.equals("/")) {
            return CompletableFuture.completedFuture(true);
        }
        return Futures.either(create(path, new byte[0], CreateMode.CONTAINER), (made, failure) -> {
            if (failure == null || Failures.is(failure, Code.NODEEXISTS)) {
                return CompletableFuture.completedFuture(true);
            }
            if (Failures.is(failure, Code.NONODE)) {
                String parent = Paths.parent(path);
                return parent.equals("/")
                        ? CompletableFuture.failedFuture(Failures.noChroot())
                        : containers(parent).thenCompose(done -> containers(path));
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    private interface Result<T> {
        T get();
    }

    private <T> void complete(CompletableFuture<T> answer, int code, String what, String path, Result<T> result) {
        boolean open = loop.deliver(() -> {
            if (code == Code.OK.intValue()) {
                loginDemanded = false;
                answer.complete(result.get());
            } else {
                Exception failure = Failures.of(cause(code), what, path);
                if (code == Code.NOAUTH.intValue()) {
                    refusals.accept(failure);
                }
                answer.completeExceptionally(failure);
            }
        });
        if (!open) {
            answer.completeExceptionally(Failures.closed());
        }
    }

    private int cause(int code) {
        int demanded = Code.SESSIONCLOSEDREQUIRESASLAUTH.intValue();
        loginDemanded |= code == demanded;
        return loginDemanded && code == Code.CONNECTIONLOSS.intValue() ? demanded : code;
    }

    private static <T> CompletableFuture<T> orElse(CompletableFuture<T> answer, Code code, T otherwise) {
        return Futures.either(
                answer,
                (value, failure) -> failure == null
                        ? CompletableFuture.completedFuture(value)
                        : Failures.is(failure, code)
                                ? CompletableFuture.completedFuture(otherwise)
                                : CompletableFuture.failedFuture(failure));
    }
}
