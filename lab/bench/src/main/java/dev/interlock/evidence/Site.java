package dev.interlock.evidence;

import dev.interlock.testkit.server.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A server, or several, with a proxy in front for each client where the network is to break. */
abstract class Site implements AutoCloseable {

    /** How many processes ask for the lock. */
    static final int CLIENTS = 3;

    /** What may pass between two looks at a clock on a busy machine. */
    private static final Duration STALL = Duration.ofMinutes(5);

    private final List<FaultProxy> proxies = new ArrayList<>();

    /** Puts proxies before the server at this port. */
    final void proxyTo(int port) {
        for (int place = 0; place < CLIENTS; place++) {
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

    /** Kills the server. */
    void kill() {
        throw unsupported();
    }

    /** Kills the server, if it runs, and starts it again; returns when it serves. */
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

    /**
     * Lets transactions of somebody else get into deadlocks with those of the clients, for this time. Whether the
     * server is proven to have ended one of a client.
     */
    boolean deadlock(Duration time) throws Exception {
        throw unsupported();
    }

    /** Sets the server's clock on by this from what it was at the start. */
    void clock(Duration ahead) {
        throw unsupported();
    }

    /**
     * Does that, and proves it.
     *
     * @param clock sets it on from the true time
     * @param seconds the time by the server
     * @throws IllegalStateException if the server's time has not changed
     */
    static void setClock(Consumer<Duration> clock, LongSupplier seconds, Duration ahead) {
        clock.accept(Duration.ZERO);
        long before = seconds.getAsLong();
        clock.accept(ahead);
        long stepped = seconds.getAsLong() - before;
        if (stepped < ahead.toSeconds() || stepped > ahead.plus(STALL).toSeconds()) {
            throw new IllegalStateException(
                    "The server's clock was set on by " + ahead + ", but has gone on by " + Duration.ofSeconds(stepped)
                            + ": a program that is linked statically has the clock of the machine");
        }
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
