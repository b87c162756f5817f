package dev.interlock.zookeeper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session with ZooKeeper: its requests, answered on the loop in the order in which they were sent, and for how long
 * it lives for certain. Requests that are sent one after the other without waiting travel together. Used on the loop
 * only, but for the tether.
 */
final class Session {

    /** So many operations always fit into one request. */
    private static final int FEW = 100;

    private final ZooKeeper zk;
    private final BooleanSupplier open;
    private final Loop loop;
    private final Rights rights;
    private final long id;
    private SessionTether tether;
    private boolean over;

    /**
     * Whether the servers close each connection because they demand a login: all that is under way then fails, but only
     * the first request is told why.
     */
    private boolean loginDemanded;

    private @Nullable ServerClock clock;

    /** @param open whether the client that it is of has not been closed; asked by any thread */
    Session(ZooKeeper zk, BooleanSupplier open, Loop loop, Rights rights) {
        this.zk = zk;
        this.open = open;
        this.loop = loop;
        this.rights = rights;
        this.id = zk.getSessionId();
        this.tether = new SessionTether(Duration.ZERO, System.nanoTime(), open);
    }

    /** A node that was made. */
    record Created(String path, Stat stat) {}

    /** A node that was read. */
    static final class Read {
        final byte[] data;
        final Stat stat;

        Read(byte[] data, Stat stat) {
            this.data = data;
            this.stat = stat;
        }
    }

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

    void end() {
        over = true;
        tether.cut();
    }

    boolean isLoginDemanded() {
        return loginDemanded;
    }

    Duration timeout() {
        return Duration.ofMillis(zk.getSessionTimeout());
    }

    /** Those of ZooKeeper's own client. */
    ZKClientConfig options() {
        return zk.getClientConfig();
    }

    /** The bytes of the longest answer that the client takes: at a longer one it breaks the connection. */
    int longestAnswer() {
        return options().getInt(ZKConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
    }

    /**
     * Whether so many nodes of claims fit into one answer, at 62 bytes for the longest, and those besides that come at
     * the same moment.
     */
    boolean hasRoomFor(int nodes) {
        return nodes <= longestAnswer() / 72;
    }

    /**
     * Whether the servers take all this in one request: at one longer than their {@code jute.maxbuffer}, which should
     * be the client's, they break the connection.
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
        // The paths become longer by the client's own root.
        return bytes.size() <= longestAnswer() / 10L * 9;
    }

    /** For how long it lives for certain; of the last proof. */
    SessionTether tether() {
        return tether;
    }

    @Nullable
    ServerClock clock() {
        return clock;
    }

    /**
     * Learns what time it is on the servers, if that is not known: from a node that is made beside this lock, and
     * deleted. Without the right to make one it stays unknown.
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

    /** The leader has answered what was sent then. */
    private void proved(long sentNanos) {
        if (!over && !tether.moved(sentNanos)) {
            // What hung on the old one is lost, whatever the servers say.
            tether = new SessionTether(timeout(), sentNanos, open);
        }
    }

    // ---- requests

    CompletableFuture<Created> create(String path, byte[] data, CreateMode mode) {
        CompletableFuture<Created> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        List<ACL> acl = rights.of(path);
        zk.create(
                path,
                data,
                acl,
                mode,
                (code, asked, context, name, stat) -> answered(answer, code, "create", path, () -> {
                    proved(sent);
                    clock = new ServerClock(stat.getCtime(), System.nanoTime());
                    return new Created(name, stat);
                }),
                null);
        return answer;
    }

    CompletableFuture<List<String>> children(String path, @Nullable Watcher watcher) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        zk.getChildren(
                path,
                watcher,
                (code, asked, context, children, stat) -> answered(answer, code, "read", path, () -> children),
                null);
        return answer;
    }

    /** The children; none if the node is not there. */
    CompletableFuture<List<String>> childrenOrNone(String path) {
        return orElse(children(path, null), Code.NONODE, List.of());
    }

    CompletableFuture<Read> read(String path, @Nullable Watcher watcher) {
        CompletableFuture<Read> answer = new CompletableFuture<>();
        zk.getData(
                path,
                watcher,
                (code, asked, context, data, stat) ->
                        answered(answer, code, "read", path, () -> new Read(data == null ? new byte[0] : data, stat)),
                null);
        return answer;
    }

    /** The node's data, if it is there. */
    CompletableFuture<Optional<Read>> readIfThere(String path) {
        return readIfThere(path, null);
    }

    /** The node's data, if it is there; only then it is watched. */
    CompletableFuture<Optional<Read>> readIfThere(String path, @Nullable Watcher watcher) {
        return orElse(read(path, watcher).thenApply(Optional::of), Code.NONODE, Optional.empty());
    }

    /** The same, but that it is not there is not decided by a server that lags behind. */
    CompletableFuture<Optional<Read>> readCertainly(String path, @Nullable Watcher watcher) {
        return readIfThere(path, watcher).thenCompose(read -> {
            if (read.isPresent()) {
                return CompletableFuture.completedFuture(read);
            }
            CompletableFuture<Boolean> proved = prove("/");
            return readIfThere(path, watcher).thenCombine(proved, (later, done) -> later);
        });
    }

    CompletableFuture<Boolean> exists(String path) {
        return stat(path).thenApply(Optional::isPresent);
    }

    /** The node's state, if it is there. */
    CompletableFuture<Optional<Stat>> stat(String path) {
        CompletableFuture<Optional<Stat>> answer = new CompletableFuture<>();
        zk.exists(
                path,
                null,
                (code, asked, context, stat) -> {
                    boolean absent = code == Code.NONODE.intValue();
                    answered(
                            answer,
                            absent ? Code.OK.intValue() : code,
                            "read",
                            path,
                            () -> absent ? Optional.empty() : Optional.of(stat));
                },
                null);
        return answer;
    }

    /** Whether it was there; it is gone in any case. */
    CompletableFuture<Boolean> delete(String path) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        zk.delete(
                path,
                -1,
                (code, asked, context) -> {
                    boolean absent = code == Code.NONODE.intValue();
                    answered(answer, absent ? Code.OK.intValue() : code, "delete", path, () -> {
                        proved(sent);
                        return !absent;
                    });
                },
                null);
        return answer;
    }

    CompletableFuture<Stat> write(String path, byte[] data, int version) {
        CompletableFuture<Stat> answer = new CompletableFuture<>();
        zk.setData(
                path,
                data,
                version,
                (code, asked, context, stat) -> answered(answer, code, "set", path, () -> stat),
                null);
        return answer;
    }

    /** All of it or nothing. */
    CompletableFuture<List<OpResult>> multi(List<Op> ops) {
        CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        String path = ops.get(0).getPath();
        zk.multi(
                ops,
                (code, asked, context, results) -> answered(answer, code, "create", path, () -> {
                    proved(sent);
                    return results;
                }),
                null);
        return answer;
    }

    /** Asks the leader whether the session lives; what is read afterwards is not older than this. */
    CompletableFuture<Boolean> prove(String path) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        long sent = System.nanoTime();
        zk.sync(
                path,
                (code, asked, context) -> answered(answer, code, "read", path, () -> {
                    proved(sent);
                    return true;
                }),
                null);
        return answer;
    }

    List<ACL> acl(String path) {
        return rights.of(path);
    }

    /** Makes a node and its parents, all of which go by themselves when they are empty. */
    CompletableFuture<Boolean> containers(String path) {
        if (path.equals("/")) {
            return CompletableFuture.completedFuture(true);
        }
        return Answers.either(create(path, new byte[0], CreateMode.CONTAINER), (made, failure) -> {
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

    private <T> void answered(CompletableFuture<T> answer, int code, String what, String path, Result<T> result) {
        boolean open = loop.run(() -> {
            if (code == Code.OK.intValue()) {
                loginDemanded = false;
                answer.complete(result.get());
            } else {
                answer.completeExceptionally(Failures.of(cause(code), what, path));
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
        return Answers.either(
                answer,
                (value, failure) -> failure == null
                        ? CompletableFuture.completedFuture(value)
                        : Failures.is(failure, code)
                                ? CompletableFuture.completedFuture(otherwise)
                                : CompletableFuture.failedFuture(failure));
    }
}
