package dev.interlock.jdbc.wake;

import dev.interlock.jdbc.connection.Resources;
import dev.interlock.spi.Log;
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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * The sockets by which the users of one SQLite file wake each other: Unix domain sockets beside the file, named
 * {@code NAME-wake-CHANNEL}. They are found wherever the file is, also from another container, and whoever may write
 * the file may connect to them.
 *
 * <p>A client sends wakes over a new connection, one line for each. Wakes are hints: the sender waits for nothing, and
 * a client that misses one polls later. Thread-safe.
 */
public final class WakeSockets {

    /** Channels come from the tables, which others write: nothing else may become part of a path. */
    private static final Pattern CHANNEL = Pattern.compile("[0-9a-f]{8}");

    /** Follows the channel in the name of a socket that is being opened. */
    private static final String OPENING = "~";

    /** A socket that has been opening for so long belongs to a process that was killed. */
    private static final Duration OPENED = Duration.ofMinutes(1);

    /** How many connections the socket of a stopped process accepts before wakes are lost. */
    private static final int BACKLOG = 128;

    private final Path file;

    /**
     * The sockets beside this file. The path must have all links resolved, as SQLite reports it, or each link would
     * have sockets of its own.
     */
    public WakeSockets(Path file) {
        this.file = file;
    }

    /** A channel that nobody uses. */
    static String newChannel() {
        return String.format("%08x", ThreadLocalRandom.current().nextInt());
    }

    Path path(String channel) {
        return file.resolveSibling(file.getFileName() + "-wake-" + channel);
    }

    /**
     * Listens on a channel, for all who may write the file.
     *
     * @throws IOException if not all of them could connect, or the path is too long for a socket: 106 bytes on Linux
     */
    ServerSocketChannel listen(String channel) throws IOException {
        // Until it listens nobody can connect, and a sweep would take it for the socket of a dead process.
        Path socket = path(channel + OPENING);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
        } catch (Throwable e) {
            Resources.closeQuietly(server);
            throw e;
        }
        try {
            share(socket);
            Files.move(socket, path(channel));
            return server;
        } catch (Throwable e) {
            remove(channel + OPENING);
            Resources.closeQuietly(server);
            throw e;
        }
    }

    /**
     * Opens and removes a socket.
     *
     * @throws IOException as {@link #listen}: then clients of the file poll
     */
    public void probe() throws IOException {
        String channel = newChannel();
        ServerSocketChannel server = listen(channel);
        remove(channel);
        server.close();
    }

    /**
     * Lets everybody who may write the file connect; a client that cannot connect would try to wake this one in vain.
     * The mode is set only where nobody else can replace the socket by a link, because that would set the mode of
     * another file. In a directory that others may write, the mode stays as it was created.
     */
    private void share(Path socket) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        PosixFileAttributes shared = Files.readAttributes(file, PosixFileAttributes.class);
        PosixFileAttributes directory = Files.readAttributes(file.resolveSibling(""), PosixFileAttributes.class);
        PosixFileAttributes own = attributes(socket);
        if (directory.owner().equals(own.owner())
                && writers(directory).equals(Set.of(PosixFilePermission.OWNER_WRITE))) {
            view.setPermissions(shared.permissions());
            own = attributes(socket);
        }
        boolean groupMatters = shared.permissions().contains(PosixFilePermission.GROUP_WRITE);
        if (!own.owner().equals(shared.owner())
                || (groupMatters && !own.group().equals(shared.group()))
                || !writers(own).containsAll(writers(shared))) {
            throw new IOException("Not all who may write the lock file could wake this client: file=" + file);
        }
    }

    private static PosixFileAttributes attributes(Path socket) throws IOException {
        return Files.readAttributes(socket, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static Set<PosixFilePermission> writers(PosixFileAttributes attributes) {
        Set<PosixFilePermission> writers = EnumSet.of(
                PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
        writers.retainAll(attributes.permissions());
        return writers;
    }

    /** Whether others find the socket of this channel. */
    boolean exists(String channel) {
        return Files.exists(path(channel), LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes the socket of this channel, if it exists. */
    void remove(String channel) {
        try {
            Files.deleteIfExists(path(channel));
        } catch (IOException e) {
            Log.of(WakeSockets.class).log(System.Logger.Level.DEBUG, "A socket for wakes could not be removed", e);
        }
    }

    /**
     * Sends wakes to the client that listens on a channel, if that is possible without waiting.
     *
     * @param wakes lines, each a {@link WakeMessage}
     * @return false if nobody listens there: the process is dead, or has stopped listening
     */
    public boolean send(String channel, String wakes) {
        if (!CHANNEL.matcher(channel).matches()) {
            return true;
        }
        try {
            // A link would lead elsewhere, and a file that is not a socket belongs to somebody else.
            return !isSocket(path(channel)) || isDelivered(path(channel), wakes);
        } catch (NoSuchFileException | ConnectException e) {
            return false;
        } catch (IOException | RuntimeException e) {
            if (!exists(channel)) {
                // Somebody who has just begun to listen has swept the socket of a dead process away in between.
                return false;
            }
            Log.of(WakeSockets.class).log(System.Logger.Level.DEBUG, "A wake was lost: its client asks later", e);
            return true;
        }
    }

    /** Sends wakes to all clients that listen beside the file. */
    public void sendToAll(String wakes) {
        forEachChannel(channel -> send(channel, wakes));
    }

    private static boolean isSocket(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther();
    }

    /** Also if there is no room, as with a stopped process: then the wakes are lost. */
    private static boolean isDelivered(Path socket, String wakes) throws IOException {
        try (SocketChannel line = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            line.configureBlocking(false);
            if (line.connect(UnixDomainSocketAddress.of(socket))) {
                line.write(ByteBuffer.wrap(wakes.getBytes(StandardCharsets.UTF_8)));
            }
            return true;
        }
    }

    /**
     * Removes the sockets that killed processes have left beside the file.
     *
     * @param own the channel of a socket that has just been opened
     */
    void sweep(String own) {
        forEachChannel(channel -> removeDead(channel, modified(own)));
    }

    private interface OfChannel {
        void run(String channel) throws IOException;
    }

    private void forEachChannel(OfChannel action) {
        String beginning = path("").getFileName().toString();
        try (DirectoryStream<Path> beside = Files.newDirectoryStream(file.resolveSibling(""))) {
            for (Path path : beside) {
                String name = path.getFileName().toString();
                if (name.startsWith(beginning)) {
                    action.run(name.substring(beginning.length()));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            Log.of(WakeSockets.class)
                    .log(System.Logger.Level.DEBUG, "Looking for the sockets beside the file failed", e);
        }
    }

    private void removeDead(String channel, FileTime now) throws IOException {
        boolean isDead = channel.endsWith(OPENING)
                ? modified(channel).toMillis() < now.toMillis() - OPENED.toMillis()
                : !send(channel, "");
        if (isDead) {
            remove(channel);
        }
    }

    private FileTime modified(String channel) throws IOException {
        return Files.getLastModifiedTime(path(channel), LinkOption.NOFOLLOW_LINKS);
    }
}
