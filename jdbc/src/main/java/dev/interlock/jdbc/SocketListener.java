package dev.interlock.jdbc;

import dev.interlock.spi.Wake;
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
 * Listens on a socket beside an SQLite file, on a thread of its own. It waits for none of those who connect: a process may be stopped between its connection and what it
 * would send.
 */
final class SocketListener implements Listener {

    private static final System.Logger LOG = System.getLogger(SocketListener.class.getName());

    /** More than the longest {@link WakeText}, of a name of 512 bytes. */
    private static final int LONGEST_WAKE = 1_024;

    private final WakeSockets sockets;
    private final Consumer<Wake> hearer;
    private final String channel = WakeSockets.newChannel();
    private @Nullable Thread thread;
    private volatile boolean ended;

    SocketListener(WakeSockets sockets, Consumer<Wake> hearer) {
        this.sockets = sockets;
        this.hearer = hearer;
    }

    @Override
    public String channel() {
        return channel;
    }

    @Override
    public boolean isOn() {
        return isListening();
    }

    /** From its begin on: what comes before the thread runs is kept for it. Not if somebody has removed the socket. */
    @Override
    public boolean isListening() {
        Thread current = thread;
        return current != null && current.isAlive() && !ended && sockets.isThere(channel);
    }

    @Override
    public boolean isAlive() {
        return isListening();
    }

    @Override
    public void begin() {
        try {
            start(sockets.listen(channel));
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.DEBUG, "Listening failed: claims poll until it is tried again", e);
        }
    }

    private void start(ServerSocketChannel server) {
        Thread listening = new Thread(() -> run(server), "interlock-jdbc-wakes");
        listening.setDaemon(true);
        try {
            listening.start();
        } catch (Throwable e) {
            // There may be too many threads.
            end();
            Session.closeQuietly(server);
            throw e;
        }
        thread = listening;
    }

    @Override
    public void end() {
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
            sockets.sweep();
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            listen(server, selector);
        } catch (IOException | RuntimeException e) {
            if (!ended) {
                LOG.log(System.Logger.Level.DEBUG, "Listening ended: claims poll until it begins again", e);
            }
        }
    }

    private void listen(ServerSocketChannel server, Selector selector) throws IOException {
        try {
            while (isWanted()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept(server, selector);
                    } else {
                        read((SocketChannel) key.channel(), (ByteBuffer) key.attachment());
                    }
                }
                selector.selectedKeys().clear();
            }
        } finally {
            sockets.remove(channel);
            selector.keys().forEach(key -> Session.closeQuietly(key.channel()));
        }
    }

    /** Whoever hears of a wake may leave the thread interrupted, and it would spin. An end sets its mark before it interrupts: so one that comes after this look is not forgotten. */
    private boolean isWanted() {
        Thread.interrupted();
        return !ended;
    }

    private static void accept(ServerSocketChannel server, Selector selector) throws IOException {
        SocketChannel line = server.accept();
        if (line != null) {
            line.configureBlocking(false);
            line.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(LONGEST_WAKE));
        }
    }

    /** Whoever sends says all at once, and ends; one that says more is not one of us. */
    private void read(SocketChannel line, ByteBuffer wake) {
        try {
            if (line.read(wake) >= 0 && wake.hasRemaining()) {
                return;
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "A wake was lost on its way", e);
        }
        Session.closeQuietly(line);
        WakeText.parse(StandardCharsets.UTF_8.decode(wake.flip()).toString()).ifPresent(hearer);
    }
}
