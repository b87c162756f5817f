package dev.interlock.evidence;

import dev.interlock.testkit.server.FaultProxy;
import java.util.ArrayList;
import java.util.List;

/** A server, or several, with a proxy in front for each client where the network is to break. */
abstract class Site implements AutoCloseable {

    private final List<FaultProxy> proxies = new ArrayList<>();

    /** Puts proxies before the server at this port. */
    final void proxyTo(int port) {
        for (int place = 0; place < Trial.CLIENTS; place++) {
            proxies.add(FaultProxy.to("127.0.0.1", port));
        }
    }

    /** The proxies, in the order of the clients' places; none if there are several servers, or none. */
    final List<FaultProxy> proxies() {
        return proxies;
    }

    /** Where the client of this place connects. */
    abstract String uri(int place);

    /** What the locks have left in the store, one text for each thing. */
    abstract List<String> leftovers() throws Exception;

    /** Stops the server, as SIGSTOP does. */
    void freeze() {
        throw unsupported();
    }

    /** Lets it go on. */
    void thaw() {
        throw unsupported();
    }

    /** Kills the server and starts it again; returns when it serves. */
    void restart() {
        throw unsupported();
    }

    /** From now on the replica learns nothing. */
    void cutReplica() {
        throw unsupported();
    }

    /** Kills the server, and leads the clients to its replica. Whether the replica had missed something. */
    boolean failOver() {
        throw unsupported();
    }

    /** Kills the leader of several servers; returns when another leads, and the killed one has been started again. */
    void changeLeader() {
        throw unsupported();
    }

    @Override
    public abstract void close();

    final void closeProxies() {
        proxies.forEach(FaultProxy::close);
    }

    private UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException(
                "This fault does not strike a " + getClass().getSimpleName());
    }
}
