package dev.interlock.jdbc;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * The sockets by which those who have one SQLite file open wake each other: Unix domain sockets that stand beside the file, as {@code NAME-wake-CHANNEL}. So they are found
 * wherever the file is, also by another container, and are for those who may write the file and for nobody else.
 *
 * <p>A wake is a connection with one {@link WakeText}. It is a hint: who sends it waits for nothing, and whoever misses it asks by itself, later. Thread-safe.
 */
final class WakeSockets {

    private static final System.Logger LOG = System.getLogger(WakeSockets.class.getName());

    /** Channels come from the tables, where others write: nothing else becomes part of a path. */
    private static final Pattern CHANNEL = Pattern.compile("[0-9a-f]{8}");

    /** How many wakes one that is stopped has before more of them are lost. */
    private static final int BACKLOG = 128;

    private final Path file;

    /** The sockets of this file, as SQLite tells its path: where the links have led, or each link would have its own. */
    WakeSockets(Path file) {
        this.file = file;
    }

    /** A channel that nobody has. */
    static String newChannel() {
        return String.format("%08x", ThreadLocalRandom.current().nextInt());
    }

    Path path(String channel) {
        return file.resolveSibling(file.getFileName() + "-wake-" + channel);
    }

    /**
     * Listens on a channel, for all who may write the file.
     *
     * @throws IOException if not all of them could reach it, or the path is too long for a socket: 107 bytes on Linux
     */
    ServerSocketChannel listen(String channel) throws IOException {
        Path socket = path(channel);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
            share(socket);
            return server;
        } catch (Throwable e) {
            Session.closeQuietly(server);
            remove(socket);
            throw e;
        }
    }

    private void share(Path socket) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        PosixFileAttributes shared = Files.readAttributes(file, PosixFileAttributes.class);
        if (!view.readAttributes().owner().equals(shared.owner())) {
            throw new IOException("The owner of the lock file is another user, who could not wake this one");
        }
        if (!view.readAttributes().group().equals(shared.group())) {
            view.setGroup(shared.group());
        }
        view.setPermissions(shared.permissions());
    }

    /** Whether others find the socket of this channel. */
    boolean isThere(String channel) {
        return Files.exists(path(channel), LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes the socket of this channel, if it is there. */
    void remove(String channel) {
        remove(path(channel));
    }

    private static void remove(Path socket) {
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "A socket for wakes could not be removed", e);
        }
    }

    /**
     * Tells the client that listens on a channel, if it can be done at once.
     *
     * @return false if nobody listens there: its process is dead, or has ended listening
     */
    boolean tell(String channel, String wake) {
        if (!CHANNEL.matcher(channel).matches()) {
            return true;
        }
        try (SocketChannel line = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            line.configureBlocking(false);
            if (line.connect(UnixDomainSocketAddress.of(path(channel)))) {
                line.write(ByteBuffer.wrap(wake.getBytes(StandardCharsets.UTF_8)));
            }
            return true;
        } catch (ConnectException e) {
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.DEBUG, "A wake was lost: its client asks later", e);
            return isThere(channel);
        }
    }

    /**
     * Removes the sockets that killed processes have left beside the file. One that is just being opened may seem dead, for microseconds: its client sees that it is gone, and polls
     * for a while.
     */
    void sweep() {
        String beginning = path("").getFileName().toString();
        try (DirectoryStream<Path> beside = Files.newDirectoryStream(file.resolveSibling(""))) {
            for (Path path : beside) {
                String name = path.getFileName().toString();
                if (name.startsWith(beginning) && !tell(name.substring(beginning.length()), "")) {
                    remove(path);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(System.Logger.Level.DEBUG, "Looking for the sockets of the dead failed", e);
        }
    }
}
