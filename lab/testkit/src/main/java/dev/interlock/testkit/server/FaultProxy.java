package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in this JVM, in front of any server, that breaks the network between. It passes bytes in the chunks in
 * which it reads them; on loopback a chunk is a reply, or several replies of a pipeline.
 *
 * <p>Nothing that the proxy does puts a connection out of step, because no real network does that either:
 *
 * <ul>
 *   <li>a <b>black hole</b> holds the bytes back. {@link #heal()} delivers them late, as TCP does after a partition;
 *       {@link #reset()} discards them.
 *   <li>a <b>dropped reply</b> takes everything behind it on its connection along, and then the connection is reset:
 *       the server has executed the command, the client never hears of it. With a silence, the reset comes only after
 *       that time.
 *   <li>a <b>swallowed chunk</b> is chosen by its content, and the connection goes on. That is right for messages that
 *       are no replies, as those of publish/subscribe.
 * </ul>
 *
 * <p>Counters tell how much each fault has hit, so that a test can prove its own fault. Closing leaves no thread.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int CONNECT_MILLIS = 2_000;
    private static final long RETRY_NANOS = 5_000_000;
    private static final int BACKLOG = 128;
    private static final int ATTEMPTS = 5;

    /** A way through the proxy. */
    public enum Direction {
        /** Requests. */
        TO_SERVER,
        /** Replies and messages. */
        TO_CLIENT
    }

    private final InetAddress address;
    private final int port;
    private final Tap tap;
    private final Duration patience;
    private final Faults faults = new Faults();
    private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();

    private volatile InetSocketAddress target;

    /** Guarded by this; null while connections are refused. */
    private @Nullable ServerSocket listening;

    /** Guarded by this. */
    private @Nullable Thread acceptor;

    private volatile boolean closed;
    private volatile boolean rejecting;

    private FaultProxy(InetSocketAddress at, InetSocketAddress target, Tap tap, Duration patience) throws IOException {
        this.target = target;
        this.tap = tap;
        this.patience = patience;
        ServerSocket socket = new ServerSocket(at.getPort(), BACKLOG, at.getAddress());
        address = at.getAddress();
        port = socket.getLocalPort();
        listen(socket);
    }

    /** A proxy without faults on a free port of loopback. */
    public static FaultProxy to(String host, int port) {
        return to(host, port, Tap.NONE);
    }

    /** The same, with a tap on what clients send. */
    public static FaultProxy to(String host, int port, Tap tap) {
        InetSocketAddress target = new InetSocketAddress(host, port);
        for (int attempt = 1; ; attempt++) {
            try {
                // Not a port that the kernel gives to outgoing connections: it would be taken while the proxy refuses.
                InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free());
                return new FaultProxy(free, target, tap, Duration.ZERO);
            } catch (IOException e) {
                // Between finding a free port and binding it, another process may have taken it.
                if (attempt == ATTEMPTS) {
                    throw new UncheckedIOException("The proxy cannot listen: target=" + target, e);
                }
            }
        }
    }

    /**
     * A proxy without faults at this address.
     *
     * @param patience how long a client that has been accepted is kept, if the server does not listen, before it is
     *     reset: some try again after a connection was refused, but not after one broke
     */
    static FaultProxy between(InetSocketAddress at, InetSocketAddress target, Tap tap, Duration patience) {
        try {
            return new FaultProxy(at, target, tap, patience);
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy cannot listen: address=" + at, e);
        }
    }

    /** A proxy without faults at this address, in front of a server on loopback. */
    public static FaultProxy at(InetAddress address, int port, int server) {
        InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), server);
        return between(new InetSocketAddress(address, port), target, Tap.NONE, Duration.ZERO);
    }

    /** A proxy without faults in front of this server. */
    public static FaultProxy to(RedisServer server) {
        return to("127.0.0.1", server.port());
    }

    /** A proxy without faults in front of this server. */
    public static FaultProxy to(ZooKeeperServer server) {
        return to(server, Tap.NONE);
    }

    /** The same, with a tap on what clients send. */
    public static FaultProxy to(ZooKeeperServer server, Tap tap) {
        return to("127.0.0.1", server.port(), tap);
    }

    /** Where clients connect. */
    public int port() {
        return port;
    }

    /** Delays every chunk by this time, each way. Chunks overtake nothing and do not wait for each other. */
    public void latency(Duration eachWay) {
        latency(eachWay, eachWay);
    }

    /** The same, by a time between these two, drawn for each chunk. Those behind a slow one on its connection wait. */
    public void latency(Duration least, Duration most) {
        faults.latency = new Faults.Latency(least.toNanos(), most.toNanos());
    }

    /** Holds back everything that goes this way, on all connections, until {@link #heal()}. Connections stay open. */
    public void blackHole(Direction direction) {
        faults.shut(direction);
    }

    /** Holds back everything both ways. */
    public void blackHole() {
        for (Direction direction : Direction.values()) {
            blackHole(direction);
        }
    }

    /**
     * Drops each chunk from the server with this probability, and with it the rest of the connection, which is reset at
     * once.
     */
    public void dropReplies(double probability) {
        dropReplies(probability, Duration.ZERO);
    }

    /**
     * The same, but the connection says nothing for this time before it is reset: the client's own time-out is first.
     */
    public void dropReplies(double probability, Duration silence) {
        faults.silenceNanos = silence.toNanos();
        faults.lossProbability = probability;
    }

    /**
     * Drops the next chunk from the server, on whichever connection it comes; the connection is then silent for this
     * time and reset.
     */
    public void dropNextReply(Duration silence) {
        faults.silenceNanos = silence.toNanos();
        faults.losses.incrementAndGet();
    }

    /**
     * Drops every chunk from the server that contains this text (in ISO 8859-1); the connection goes on. Only for
     * messages that are no replies.
     */
    public void swallow(String text) {
        faults.swallowed = text;
    }

    /** Resets all connections that stand now: not those by which a client comes back meanwhile. */
    public void reset() {
        List.copyOf(links).forEach(ProxyLink::reset);
    }

    /**
     * From now on nothing goes through the connections that stand, nor do they break: as behind a firewall that has
     * forgotten them. New ones work. It cannot be healed.
     */
    public void forgetConnections() {
        links.forEach(ProxyLink::forget);
    }

    /** Refuses new connections, as a host without the server does, until {@link #heal()}. Those that stand go on. */
    public void refuse() {
        stopListening();
    }

    /**
     * Accepts new connections, as something in between may, and resets each at once, until {@link #heal()}. Those that
     * stand go on.
     */
    public void resetNewConnections() {
        rejecting = true;
    }

    /**
     * Leads new connections to another server, as an address that moves with the master does; those that stand go on.
     */
    public void redirect(int newPort) {
        target = new InetSocketAddress(target.getAddress(), newPort);
    }

    /** Ends all faults: delivers what was held back, accepts connections again. */
    public void heal() {
        faults.latency = Faults.Latency.NONE;
        faults.lossProbability = 0;
        faults.losses.set(0);
        faults.swallowed = null;
        rejecting = false;
        faults.openAll();
        try {
            listenAgain();
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy cannot listen again: port=" + port, e);
        }
    }

    /** Bytes that have come through. */
    public long forwardedBytes(Direction direction) {
        return sum(faults.forwardedBytes, direction);
    }

    /** Bytes that a latency has made late. */
    public long delayedBytes(Direction direction) {
        return sum(faults.delayedBytes, direction);
    }

    /** Bytes that met a black hole, whether they were delivered later or not. */
    public long heldBytes(Direction direction) {
        return sum(faults.heldBytes, direction);
    }

    /** Bytes that were read and never delivered, for whatever reason. */
    public long droppedBytes(Direction direction) {
        return sum(faults.droppedBytes, direction);
    }

    /** Chunks from the server dropped by {@link #dropReplies} or {@link #dropNextReply}. */
    public long droppedReplies() {
        return faults.droppedReplies.sum();
    }

    /** Chunks dropped by {@link #swallow}. */
    public long swallowedChunks() {
        return faults.swallowedChunks.sum();
    }

    /**
     * How often a client has asked after the server's last answer on that connection: what is sent at once, or before
     * any answer comes, is one round trip. Connecting counts, too.
     */
    public long roundTrips() {
        return faults.roundTrips.sum();
    }

    /** Connections that were reset by the proxy. */
    public long resets() {
        return faults.resets.sum();
    }

    /** Connections that stand now. */
    public long connections() {
        return links.stream().filter(ProxyLink::isOpen).count();
    }

    /** The ports by which those connections reach the server: so it names them itself. */
    public Set<Integer> serverSidePorts() {
        return links.stream()
                .filter(ProxyLink::isOpen)
                .map(ProxyLink::serverSidePort)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        closed = true;
        stopListening();
        for (ProxyLink link : links) {
            link.reset();
            link.join();
        }
    }

    private static long sum(Map<Direction, LongAdder> adders, Direction direction) {
        LongAdder adder = adders.get(direction);
        return adder == null ? 0 : adder.sum();
    }

    private synchronized void listenAgain() throws IOException {
        if (listening == null && !closed) {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port), BACKLOG);
            listen(socket);
        }
    }

    private synchronized void listen(ServerSocket socket) {
        listening = socket;
        Thread thread = new Thread(() -> accept(socket), "fault-proxy-" + port);
        thread.setDaemon(true);
        acceptor = thread;
        thread.start();
    }

    private void stopListening() {
        Thread ended;
        synchronized (this) {
            ended = acceptor;
            ProxyLink.closeQuietly(listening);
            listening = null;
            acceptor = null;
        }
        if (ended != null) {
            ProxyLink.join(ended);
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                connect(socket.accept());
            } catch (IOException e) {
                // Closed by refuse or close, or the client is gone already; the loop's condition knows which.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        if (rejecting) {
            faults.resets.increment();
            ProxyLink.closeHard(client);
            return;
        }
        Socket server;
        try {
            server = dial();
        } catch (IOException e) {
            ProxyLink.closeHard(client);
            throw e;
        }
        ProxyLink link = new ProxyLink(client, server, faults, tap, links::remove);
        links.add(link);
        link.start();
        if (rejecting) {
            // The fault began while this connection was being made: reset() may not have seen it.
            link.reset();
        }
    }

    private Socket dial() throws IOException {
        long start = System.nanoTime();
        while (true) {
            Socket server = new Socket();
            try {
                server.connect(target, CONNECT_MILLIS);
                return server;
            } catch (IOException e) {
                ProxyLink.closeQuietly(server);
                if (closed || System.nanoTime() - start >= patience.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }
}
