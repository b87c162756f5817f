package dev.interlock.jdbc.wake;

import dev.interlock.jdbc.connection.Resources;
import dev.interlock.spi.Log;
import dev.interlock.spi.Wake;
import dev.interlock.support.DaemonThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens on a socket beside an SQLite file, on a thread of its own, which costs nothing while nobody sends wakes. A
 * selector serves all connections, so that a client that is stopped between connecting and sending delays nobody.
 *
 * <p>{@code ended} is volatile and never goes back. The thread alone uses the selector and the connections.
 */
public final class SocketListener implements WakeListener {

    private static final int PIECE = 4_096;

    /** Some hundreds of {@link WakeMessage}s of the longest names; more than a socket accepts at once. */
    private static final int MAX_BYTES = 256 * 1_024;

    /** How many clients may be connected that have not sent everything yet. */
    private static final int MAX_CONNECTIONS = 128;

    private final WakeSockets sockets;
    private final Consumer<Wake> receiver;
    private final String channel = WakeSockets.newChannel();
    private @Nullable Thread thread;
    private volatile boolean ended;

    public SocketListener(WakeSockets sockets, Consumer<Wake> receiver) {
        this.sockets = sockets;
        this.receiver = receiver;
    }

    @Override
    public String channel() {
        return channel;
    }

    @Override
    public boolean isExpectedToListen() {
        return isListening();
    }

    /**
     * True from the start on: the socket keeps what arrives before the thread runs. False once somebody has removed the
     * socket.
     */
    @Override
    public boolean isListening() {
        Thread current = thread;
        return current != null && current.isAlive() && !ended && sockets.exists(channel);
    }

    @Override
    public boolean isAlive() {
        return isListening();
    }

    @Override
    public void start() throws IOException {
        ServerSocketChannel server = sockets.listen(channel);
        Thread listening = DaemonThreads.create("interlock-jdbc-wakes", () -> run(server));
        try {
            listening.start();
        } catch (Throwable e) {
            sockets.remove(channel);
            Resources.closeQuietly(server);
            throw e;
        }
        thread = listening;
    }

    @Override
    public void stop() {
        ended = true;
        sockets.remove(channel);
        Thread current = thread;
        if (current != null) {
            current.interrupt();
        }
    }

    private void run(ServerSocketChannel server) {
        try (server;
                Selector selector = Selector.open()) {
            sockets.sweep(channel);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            listen(server, selector);
        } catch (IOException | RuntimeException e) {
            if (!ended) {
                Log.of(SocketListener.class)
                        .log(System.Logger.Level.DEBUG, "Listening ended: claims poll until it begins again", e);
            }
        }
    }

    private void listen(ServerSocketChannel server, Selector selector) throws IOException {
        byte[] piece = new byte[PIECE];
        try {
            while (isWanted()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid() && key.isAcceptable()) {
                        accept(server, selector);
                    } else if (key.isValid()) {
                        read((SocketChannel) key.channel(), (ByteArrayOutputStream) key.attachment(), piece);
                    }
                }
                selector.selectedKeys().clear();
            }
        } finally {
            sockets.remove(channel);
            selector.keys().forEach(key -> Resources.closeQuietly(key.channel()));
        }
    }

    /**
     * Clears the interrupt that a receiver of a wake may have left, or the selector would spin. {@link #stop} sets
     * {@code ended} before it interrupts, so an interrupt that comes after this check is not lost.
     */
    private boolean isWanted() {
        Thread.interrupted();
        return !ended;
    }

    private static void accept(ServerSocketChannel server, Selector selector) throws IOException {
        SocketChannel line = server.accept();
        if (line == null) {
            return;
        }
        if (selector.keys().size() > MAX_CONNECTIONS) {
            // Real clients send everything at once. Silent connections are closed, because they would use up the file
            // descriptors of this process.
            selector.keys().stream()
                    .filter(key -> key.channel() != server)
                    .forEach(key -> Resources.closeQuietly(key.channel()));
        }
        try {
            line.configureBlocking(false);
            line.register(selector, SelectionKey.OP_READ, new ByteArrayOutputStream());
        } catch (Throwable e) {
            Resources.closeQuietly(line);
            throw e;
        }
    }

    /**
     * A client sends everything at once, and closes the connection. More than the limit is not from a client of
     * Interlock.
     */
    private void read(SocketChannel line, ByteArrayOutputStream said, byte[] piece) {
        try {
            int count = line.read(ByteBuffer.wrap(piece));
            if (count >= 0 && said.size() + count <= MAX_BYTES) {
                said.write(piece, 0, count);
                return;
            }
        } catch (IOException e) {
            Log.of(SocketListener.class).log(System.Logger.Level.DEBUG, "A wake was lost on its way", e);
        }
        Resources.closeQuietly(line);
        for (String wake : said.toString(StandardCharsets.UTF_8).split("\n", -1)) {
            WakeMessage.parse(wake).ifPresent(receiver);
        }
    }
}
