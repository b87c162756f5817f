package dev.interlock.testkit.server;

import dev.interlock.testkit.server.FaultProxy.Direction;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One connection through the proxy: for each way a thread that reads and one that writes, so that latency delays chunks
 * without slowing them down.
 */
final class ProxyLink {

    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int QUEUE_CHUNKS = 1024;
    private static final long JOIN_MILLIS = 5_000;

    private final Socket client;
    private final Socket server;
    private final Faults faults;
    private final Tap tap;
    private final Consumer<ProxyLink> onGone;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger running = new AtomicInteger();
    private final List<Thread> threads;
    /** Whether the current round trip is over: the next request begins another. */
    private final AtomicBoolean answered = new AtomicBoolean(true);

    private volatile long askedNanos;
    private volatile boolean forgotten;

    ProxyLink(Socket client, Socket server, Faults faults, Tap tap, Consumer<ProxyLink> onGone) throws IOException {
        this.client = client;
        this.server = server;
        this.faults = faults;
        this.tap = tap;
        this.onGone = onGone;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Way requests = new Way(Direction.TO_SERVER, client, server, tap.connected());
        Way replies = new Way(Direction.TO_CLIENT, server, client, UnaryOperator.identity());
        threads =
                List.of(thread(requests::read), thread(requests::write), thread(replies::read), thread(replies::write));
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Resets both sides: each sees its connection break at once. */
    void reset() {
        if (ended.compareAndSet(false, true)) {
            // Counted before anybody sees it.
            faults.resets.increment();
            breakUp();
        }
    }

    /** Keeps everything back for ever. */
    void forget() {
        forgotten = true;
    }

    boolean isOpen() {
        return !ended.get();
    }

    /** The port by which it reaches the server. */
    int serverSidePort() {
        return server.getLocalPort();
    }

    void join() {
        threads.forEach(ProxyLink::join);
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            breakUp();
        }
    }

    private void breakUp() {
        closeHard(client);
        closeHard(server);
        threads.forEach(Thread::interrupt);
    }

    private Thread thread(Runnable body) {
        running.incrementAndGet();
        Thread thread = new Thread(() -> run(body), "fault-proxy-" + client.getLocalPort());
        thread.setDaemon(true);
        return thread;
    }

    private void run(Runnable body) {
        try {
            body.run();
        } finally {
            if (running.decrementAndGet() == 0) {
                onGone.accept(this);
            }
        }
    }

    static void join(Thread thread) {
        if (thread == Thread.currentThread()) {
            return;
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void closeHard(Socket socket) {
        try {
            // No lingering: the peer gets RST instead of FIN.
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
        closeQuietly(socket);
    }

    static void closeQuietly(@Nullable Closeable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (IOException e) {
            // A socket that fails to close is closed.
        }
    }

    /** One way of the connection. */
    private final class Way {
        private final Direction direction;
        private final Socket from;
        private final Socket to;
        private final UnaryOperator<byte[]> passed;
        private final BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>(QUEUE_CHUNKS);

        Way(Direction direction, Socket from, Socket to, UnaryOperator<byte[]> passed) {
            this.direction = direction;
            this.from = from;
            this.to = to;
            this.passed = passed;
        }

        void read() {
            byte[] buffer = new byte[CHUNK_BYTES];
            try {
                var in = from.getInputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    Chunk chunk = new Chunk(Arrays.copyOf(buffer, n));
                    faults.meet(direction, chunk);
                    countRequest(chunk);
                    chunk.bytes = passed.apply(chunk.bytes);
                    queue.put(chunk);
                }
                // A peer that closes is heard of only behind what it has sent before.
                queue.put(new Chunk(new byte[0]));
            } catch (UncheckedIOException e) {
                // The tap has cut it.
                reset();
            } catch (IOException e) {
                end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** One that comes sooner than the latency allows answers a request of an earlier round trip. */
        private void countAnswer() {
            if (direction == Direction.TO_CLIENT && System.nanoTime() - askedNanos >= 2 * faults.latency.leastNanos()) {
                answered.set(true);
            }
        }

        private void countRequest(Chunk chunk) {
            if (direction == Direction.TO_SERVER && tap.asks(chunk.bytes) && answered.getAndSet(false)) {
                askedNanos = chunk.readNanos;
                faults.roundTrips.increment();
            }
        }

        void write() {
            try {
                OutputStream out = to.getOutputStream();
                for (Chunk chunk = queue.take(); chunk.bytes.length > 0; chunk = queue.take()) {
                    pass(chunk, out);
                }
                end();
            } catch (IOException e) {
                end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                queue.forEach(chunk -> count(faults.droppedBytes, chunk));
            }
        }

        private void pass(Chunk chunk, OutputStream out) throws IOException, InterruptedException {
            boolean delivered = false;
            try {
                awaitTurn(chunk);
                if (isToDeliver(chunk)) {
                    // Before the client has it, and asks again.
                    countAnswer();
                    out.write(chunk.bytes);
                    delivered = true;
                }
            } finally {
                count(delivered ? faults.forwardedBytes : faults.droppedBytes, chunk);
            }
        }

        private void awaitTurn(Chunk chunk) throws InterruptedException {
            long latency = faults.latency.nextNanos();
            if (latency > 0) {
                count(faults.delayedBytes, chunk);
            }
            long early = chunk.readNanos + latency - System.nanoTime();
            if (early > 0) {
                TimeUnit.NANOSECONDS.sleep(early);
            }
            faults.pass(direction, chunk);
            if (forgotten) {
                count(faults.heldBytes, chunk);
                new CountDownLatch(1).await();
            }
        }

        private boolean isToDeliver(Chunk chunk) throws InterruptedException {
            if (direction == Direction.TO_SERVER) {
                return true;
            }
            Faults.Fate fate = faults.fate(chunk.bytes);
            if (fate == Faults.Fate.DELIVER) {
                return true;
            }
            if (fate == Faults.Fate.SWALLOW) {
                faults.swallowedChunks.increment();
            } else {
                faults.droppedReplies.increment();
                TimeUnit.NANOSECONDS.sleep(faults.silenceNanos);
                reset();
            }
            return false;
        }

        private void count(Map<Direction, LongAdder> adders, Chunk chunk) {
            Faults.count(adders, direction, chunk);
        }
    }
}
