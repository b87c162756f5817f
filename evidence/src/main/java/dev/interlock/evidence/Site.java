package dev.interlock.evidence;

import dev.interlock.testkit.server.FaultProxy;
import java.time.Duration;
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

    /** Takes the server away; returns when another has taken its place. Whether the fault is proven to have hit. */
    boolean failOver() {
        throw unsupported();
    }

    /** Brings back what {@link #failOver} has taken away. */
    void repair() {
        throw unsupported();
    }

    /** Moves the lock to another server of a cluster. Whether it is there now. */
    boolean reshard() throws InterruptedException {
        throw unsupported();
    }

    /** Kills the leader of several servers; returns when another leads, and the killed one has been started again. */
    void changeLeader() {
        throw unsupported();
    }

    /**
     * From now on nothing can be written to the disk.
     *
     * @param clients the ids of the processes that ask for the lock
     */
    void fillDisk(List<Long> clients) {
        throw unsupported();
    }

    /** Ends that; returns when the server serves. Whether a write is proven to have failed. */
    boolean emptyDisk(List<Long> clients) {
        throw unsupported();
    }

    /** Sets the server's clock on by this from what it was at the start. */
    void clock(Duration ahead) {
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
