package dev.interlock.zookeeper;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.StoreRefusal;
import java.time.Duration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** The exceptions of the store. Their messages say what to change. */
final class Failures {

    private Failures() {}

    /** The store is closed. */
    static IllegalStateException closed() {
        return new StoreRefusal("The store is closed");
    }

    /** The caller would wait on the thread that delivers the answer. */
    static IllegalStateException onEventThread() {
        return new StoreRefusal("A call that waits must not be made on the event thread of ZooKeeper's client,"
                + " which delivers the answers: make it on another thread, or call the asynchronous method: thread="
                + Thread.currentThread().getName());
    }

    /**
     * The exception for an answer of ZooKeeper.
     *
     * @param what the kind of request: create, delete, set or read
     */
    static Exception of(int code, String what, String path) {
        KeeperException cause = KeeperException.create(Code.get(code), path);
        return switch (cause.code()) {
            case NOAUTH ->
                new StoreUnavailableException(
                        "A right is missing on ZooKeeper: permission=" + permission(what) + ", path=" + path
                                + "; give it in the node's ACL, or authenticate",
                        cause);
            case AUTHFAILED -> authentication(cause);
            case SESSIONCLOSEDREQUIRESASLAUTH -> loginDemanded(cause);
            default -> cause;
        };
    }

    /** Whether a server has answered that it does not do this: a missing right, or no login. */
    static boolean isRefusal(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof KeeperException answer) {
                return switch (answer.code()) {
                    case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH, QUOTAEXCEEDED -> true;
                    default -> false;
                };
            }
        }
        return false;
    }

    /** The servers refused the credentials. */
    static StoreUnavailableException authentication(@Nullable Throwable cause) {
        return new StoreUnavailableException(
                "ZooKeeper refused the credentials; check the digest or the JAAS login", cause);
    }

    /** The servers close connections without a login. */
    static StoreUnavailableException loginDemanded(@Nullable Throwable cause) {
        return new StoreUnavailableException(
                "ZooKeeper demands a login of every client, and accepted none of this one; give it one by SASL:"
                        + " a section Client in the JAAS file, and with DIGEST-MD5 zookeeper.fips-mode=false",
                cause);
    }

    /** The application's client is not started, or closed. */
    static IllegalStateException notStarted() {
        return new StoreRefusal(
                "The application's client is not started, or closed: start it before the store is used");
    }

    /**
     * The root of the client does not exist. That happens to the root of a connect string only, which neither ZooKeeper
     * nor Curator creates.
     */
    static IllegalStateException noChroot() {
        return new StoreRefusal(
                "The path at the end of the application's connect string does not exist: create it, as a persistent"
                        + " node, or leave it out");
    }

    /** No server has answered in time. */
    static StoreUnavailableException unreachable(String where, Duration limit) {
        return new StoreUnavailableException(
                "No ZooKeeper server could be connected to within " + limit.toMillis() + " ms: " + where, null);
    }

    /** The session ended while a request was under way. */
    static Exception sessionExpired(String path) {
        return KeeperException.create(Code.SESSIONEXPIRED, path);
    }

    /** Somebody else has deleted a node of the claim. */
    static StoreUnavailableException vanished(String path) {
        return new StoreUnavailableException("A node was deleted by somebody else: path=" + path, null);
    }

    /** The answer might break the application's own connection, and another connection could not read it either. */
    static StoreUnavailableException tooManyNames(String path, int names, long bytes, int room, Throwable cause) {
        return new StoreUnavailableException(
                "So many names may be too long for one answer to the application's client, and could not be read over a"
                        + " connection of their own; let everybody read the path, or give that client jute.maxbuffer="
                        + bytes + " in its ZKClientConfig: names=" + names + ", jute.maxbuffer=" + room + ", path="
                        + path,
                LockStore.causeOf(cause));
    }

    /** With one more node the answer to a client that reads them all might break its connection. */
    static IllegalStateException full(String path, int nodes, int room) {
        return new StoreRefusal(
                "So many cannot stand side by side, as all of them must fit into one answer to a client; let fewer"
                        + " wait or hold at a time, or raise jute.maxbuffer of all clients: nodes=" + nodes
                        + ", jute.maxbuffer=" + room
                        + ", path=" + path);
    }

    /** The numbers of the children give no order any more, and the node cannot be replaced by a new one. */
    static IllegalStateException numbersUsedUp(String path, @Nullable Throwable cause) {
        return new StoreRefusal(
                "The sequence numbers of a ZooKeeper node are used up, so that they give no order any more, and this"
                        + " client cannot replace the node: it has data, other rights or other children than the"
                        + " client gives it, or the client may not delete it; delete it while nobody uses the name:"
                        + " path=" + path,
                cause == null ? null : LockStore.causeOf(cause));
    }

    /** The request would break the connection. */
    static IllegalStateException tooManyAtOnce(String path, int permits, int room) {
        return new StoreRefusal(
                "So many permits cannot be taken at once, as they must fit into one request; take fewer at a time, or"
                        + " raise jute.maxbuffer of all clients and servers: permits=" + permits + ", jute.maxbuffer="
                        + room
                        + ", path="
                        + path);
    }

    private static String permission(String what) {
        return switch (what) {
            case "create" -> "CREATE (on the parent)";
            case "delete" -> "DELETE (on the parent)";
            case "set" -> "WRITE";
            default -> "READ";
        };
    }

    /** Whether the failure is this answer of ZooKeeper. */
    static boolean is(@Nullable Throwable failure, Code code) {
        return LockStore.causeOf(failure) instanceof KeeperException answer && answer.code() == code;
    }
}
