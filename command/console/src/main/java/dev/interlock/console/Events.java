package dev.interlock.console;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams of server-sent events. Publishing never waits: each stream has a queue, and a client that does not read
 * until its queue is full is cut off. Thread-safe.
 */
final class Events {

    /** The most streams at a time. */
    static final int MOST_STREAMS = 32;

    /** The most events that wait for one client. */
    static final int MOST_WAITING = 64;

    private static final byte[] BEAT = ": beat\n\n".getBytes(StandardCharsets.UTF_8);

    private final Duration beat;
    private final Semaphore free = new Semaphore(MOST_STREAMS);
    private final List<Stream> streams = new CopyOnWriteArrayList<>();

    /** @param beat after how much silence a stream has a line without meaning */
    Events(Duration beat) {
        this.beat = beat;
    }

    /**
     * An event.
     *
     * @param name its name
     * @param store the store that it is about; null if it concerns all
     * @param data its data
     */
    record Event(String name, @Nullable String store, Map<String, Object> data) {

        byte[] bytes() {
            // JSON of ours has no line breaks.
            return ("event: " + name + "\ndata: " + Json.of(data) + "\n\n").getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Sends it to all who want events of its store. */
    void publish(Event event) {
        if (!streams.isEmpty()) {
            byte[] bytes = event.bytes();
            for (Stream stream : streams) {
                stream.offer(event, bytes);
            }
        }
    }

    /** The number of streams. */
    int streams() {
        return streams.size();
    }

    /**
     * Takes one of the places for streams.
     *
     * @return false if there is none
     */
    boolean enter() {
        return free.tryAcquire();
    }

    /**
     * Serves a stream until its client goes away or is cut off, and gives its place back.
     *
     * @param store the store whose changes are wanted; null for all
     * @param first what comes first, computed when nothing that is published can be missed any more
     */
    void serve(HttpExchange exchange, @Nullable String store, Supplier<List<Event>> first) throws IOException {
        Stream stream = new Stream(store);
        streams.add(stream);
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            for (Event event : first.get()) {
                out.write(event.bytes());
            }
            out.flush();
            stream.copy(out);
        } catch (InterruptedException e) {
            // Cut off. What is left to be written on the connection must not wait for the client either.
            Thread.currentThread().interrupt();
            exchange.close();
        } finally {
            streams.remove(stream);
            free.release();
            stream.interruption.close();
        }
    }

    /** Ends all streams. */
    void close() {
        streams.forEach(stream -> stream.interruption.now());
    }

    private final class Stream {

        private final @Nullable String store;
        private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(MOST_WAITING);
        private final Interruption interruption = new Interruption();

        Stream(@Nullable String store) {
            this.store = store;
        }

        void offer(Event event, byte[] bytes) {
            boolean wanted = store == null || event.store() == null || store.equals(event.store());
            if (wanted && !queue.offer(bytes)) {
                interruption.now();
            }
        }

        void copy(OutputStream out) throws IOException, InterruptedException {
            while (true) {
                byte[] next = queue.poll(beat.toMillis(), TimeUnit.MILLISECONDS);
                out.write(next == null ? BEAT : next);
                if (queue.isEmpty()) {
                    out.flush();
                }
            }
        }
    }
}
