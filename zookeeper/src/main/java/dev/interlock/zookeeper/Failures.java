package dev.interlock.zookeeper;

import dev.interlock.StoreUnavailableException;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** What goes wrong, said so that the reader knows what to change. */
final class Failures {

    private Failures() {}

    static IllegalStateException closed() {
        return new IllegalStateException("The store is closed");
    }

    /** The answer of ZooKeeper to a request. */
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

    static StoreUnavailableException authentication(@Nullable Throwable cause) {
        return new StoreUnavailableException(
                "ZooKeeper refused the credentials; check the digest or the JAAS login", cause);
    }

    static StoreUnavailableException loginDemanded(@Nullable Throwable cause) {
        return new StoreUnavailableException(
                "ZooKeeper demands a login of every client, and accepted none of this one; give it one by SASL:"
                        + " a section Client in the JAAS file, and with DIGEST-MD5 zookeeper.fips-mode=false",
                cause);
    }

    static IllegalStateException notStarted() {
        return new IllegalStateException(
                "The application's client is not started, or closed: start it before the store is used");
    }

    /**
     * The root is always there, unless it is the root of one client only, which neither ZooKeeper nor Curator makes.
     */
    static IllegalStateException noChroot() {
        return new IllegalStateException(
                "The path at the end of the application's connect string does not exist: create it, as a persistent node, or leave it out");
    }

    static StoreUnavailableException unreachable(String where) {
        return new StoreUnavailableException("No ZooKeeper server answers: " + where, null);
    }

    static StoreUnavailableException vanished(String path) {
        return new StoreUnavailableException("A node was deleted by somebody else: path=" + path, null);
    }

    static IllegalStateException otherKind(String name, String path) {
        return new IllegalStateException(
                "A name that is in use as one kind of lock cannot be used as another at the same time; use another name:"
                        + " name=" + name + ", path=" + path);
    }

    /** The answer might break the application's own connection, and another was of no use. */
    static StoreUnavailableException tooManyNames(String path, int names, long bytes, int room, Throwable cause) {
        return new StoreUnavailableException(
                "So many names may be too long for one answer to the application's client, and over a connection of their own"
                        + " they could not be read; let everybody read the path, or give that client jute.maxbuffer="
                        + bytes + " in its ZKClientConfig: names=" + names + ", jute.maxbuffer=" + room + ", path="
                        + path,
                unwrap(cause));
    }

    /** One more, and the answer to whoever looks might break its connection. */
    static IllegalStateException full(String path, int nodes, int room) {
        return new IllegalStateException(
                "So many cannot stand side by side, as all of them must fit into one answer to a client; let fewer wait or hold at a time,"
                        + " or raise jute.maxbuffer of all clients: nodes=" + nodes + ", jute.maxbuffer=" + room
                        + ", path=" + path);
    }

    /** The request would break the connection. */
    static IllegalStateException tooManyAtOnce(String path, int permits, int room) {
        return new IllegalStateException(
                "So many permits cannot be taken at once, as they must fit into one request; take fewer at a time, or raise jute.maxbuffer"
                        + " of all clients and servers: permits=" + permits + ", jute.maxbuffer=" + room + ", path="
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

    /** Whether it is this answer of ZooKeeper. */
    static boolean is(@Nullable Throwable failure, Code code) {
        return unwrap(failure) instanceof KeeperException answer && answer.code() == code;
    }

    /** Without what futures wrap it into. */
    static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        Throwable at = failure;
        while (at instanceof CompletionException && at.getCause() != null) {
            at = at.getCause();
        }
        return at;
    }
}
