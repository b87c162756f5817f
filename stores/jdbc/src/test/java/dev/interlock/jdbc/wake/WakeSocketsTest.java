package dev.interlock.jdbc.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.jdbc.connection.Resources;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Wake;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sockets beside an SQLite file: who receives wakes over them, and what is left of them. */
public class WakeSocketsTest extends FileTest {

    private static final String WAKE = WakeMessage.of(LockId.lock("x"), "owner") + "\n";

    private final WakeSockets sockets = new WakeSockets(file);
    private final List<Wake> received = new CopyOnWriteArrayList<>();
    private final SocketListener listener = new SocketListener(sockets, received::add);

    @BeforeEach
    void createFile() throws IOException {
        Files.createFile(file);
    }

    @AfterEach
    void end() {
        listener.stop();
    }

    /** Nobody can connect to it yet, and its process may still do so. */
    @Test
    void socketThatIsBeingOpened_isNotRemoved_beforeAMinute() throws IOException {
        Path opening = sockets.path("0badcafe~");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(opening));
        }
        listener.start();

        sockets.sweep(listener.channel());
        assertThat(opening).exists();

        Files.setLastModifiedTime(opening, FileTime.fromMillis(0));
        sockets.sweep(listener.channel());
        assertThat(opening).doesNotExist();
        assertThat(sockets.path(listener.channel())).exists();
    }

    // ---- receiving

    @Test
    void wake_isReceived_fromTheStartOn() throws IOException {
        listener.start();
        assertThat(listener.isListening()).isTrue();

        assertThat(sockets.send(listener.channel(), WAKE)).isTrue();

        await().until(() -> received.size() == 1);
        assertThat(received.get(0).id()).isEqualTo(LockId.lock("x"));
    }

    @Test
    void longestName_isReceived() throws IOException {
        listener.start();
        LockId longest = LockId.lock("n".repeat(LockId.MAX_NAME_BYTES));

        sockets.send(listener.channel(), WakeMessage.of(longest, "o".repeat(100)));

        await().until(() -> received.size() == 1);
        assertThat(received.get(0).id()).isEqualTo(longest);
    }

    @Test
    void otherText_isIgnored() throws IOException {
        listener.start();
        sockets.send(listener.channel(), "");
        sockets.send(listener.channel(), "LOCK !");
        sockets.send(listener.channel(), "LOCK " + "A".repeat(100_000));
        sockets.send(listener.channel(), "\n\nLOCK A");

        sockets.send(listener.channel(), WAKE);

        await().until(() -> received.size() == 1);
    }

    /** All wakes of a transaction for one client go over one connection. */
    @Test
    void manyWakesAtOnce_areAllReceived() throws IOException {
        listener.start();

        sockets.send(listener.channel(), WAKE.repeat(1_000));

        await().until(() -> received.size() == 1_000);
    }

    /** A callback of the application may leave its thread interrupted; then no wait would last. */
    @Test
    void receiverThatInterruptsItself_isNotInterruptedAtTheNextWake() throws IOException {
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        SocketListener there = new SocketListener(sockets, wake -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        });
        there.start();
        for (int i = 1; i <= 2; i++) {
            int count = i;
            sockets.send(there.channel(), WAKE);
            await().until(() -> interrupted.size() == count);
        }
        assertThat(interrupted).containsOnly(false);
        there.stop();
        await().until(() -> threads() == 0);
    }

    /** Its thread does not run, not even to look whether it is still needed. */
    @Test
    void listenerThatNobodyWakes_costsNothing() throws IOException {
        await().until(() -> threads() == 0);
        listener.start();
        sockets.send(listener.channel(), WAKE);
        await().until(() -> received.size() == 1);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long thread = listeners().findFirst().orElseThrow().getId();
        AtomicLong used = new AtomicLong();

        await().during(Duration.ofSeconds(3)).until(() -> {
            long now = threads.getThreadCpuTime(thread);
            return now == used.getAndSet(now);
        });

        assertThat(used.get()).isPositive();
        listener.stop();
        await().until(() -> threads() == 0);
    }

    /** A process may be stopped between connecting and sending. */
    @Test
    void silentPeer_delaysNobody() throws IOException {
        listener.start();
        try (SocketChannel silent = connect(listener.channel())) {
            silent.write(ByteBuffer.wrap(new byte[] {'L'}));

            sockets.send(listener.channel(), WAKE);

            await().until(() -> received.size() == 1);
            assertThat(silent.isConnected()).isTrue();
        }
    }

    /** Each would keep a descriptor of this process. */
    @Test
    void manySilentPeers_areClosed() throws IOException {
        listener.start();
        List<SocketChannel> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                silent.add(connect(listener.channel()));
            }
            // One of the second lot that is closed: by then there is room for one more to be accepted.
            SocketChannel closed = silent.get(200);
            closed.configureBlocking(false);
            await().until(() -> closed.read(ByteBuffer.allocate(1)) < 0);

            sockets.send(listener.channel(), WAKE);

            await().until(() -> received.size() == 1);
        } finally {
            silent.forEach(Resources::closeQuietly);
        }
    }

    /** A stopped process: the sender waits for nothing. */
    @Test
    void stoppedListener_doesNotBlockTheSender() throws IOException {
        String channel = WakeSockets.newChannel();
        try (ServerSocketChannel deaf = bind(channel)) {
            for (int i = 0; i < 10; i++) {
                assertThat(sockets.send(channel, WAKE)).isTrue();
            }
            assertThat(deaf.isOpen()).isTrue();
        }
    }

    // ---- reachable clients

    @Test
    void killedProcess_isUnreachable() throws IOException {
        assertThat(sockets.send(deadChannel(), WAKE)).isFalse();
    }

    /** While it is woken somebody else, who has just begun to listen, removes its socket. */
    @Test
    void killedProcess_whoseSocketIsBeingRemoved_isUnreachable() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < 1_000; i++) {
                String channel = deadChannel();
                Future<?> removed = other.submit(() -> sockets.remove(channel));

                assertThat(sockets.send(channel, WAKE)).isFalse();
                removed.get();
            }
        } finally {
            other.shutdown();
        }
    }

    @Test
    void stoppedClient_isUnreachable() throws IOException {
        listener.start();
        listener.stop();

        assertThat(sockets.send(listener.channel(), WAKE)).isFalse();
    }

    @Test
    void listenerThatStops_leavesNeitherThreadNorSocket() throws IOException {
        // Threads of other tests end by themselves.
        await().until(() -> threads() == 0);
        listener.start();
        assertThat(sockets.path(listener.channel())).exists();
        assertThat(threads()).isEqualTo(1);

        listener.stop();

        assertThat(listener.isListening()).isFalse();
        await().until(() -> threads() == 0);
        assertThat(files(directory)).containsExactly(file);
    }

    /** Somebody has tidied up: nobody can wake this client any more. */
    @Test
    void listenerWhoseSocketIsRemoved_doesNotListen() throws IOException {
        listener.start();

        Files.delete(sockets.path(listener.channel()));

        assertThat(listener.isListening()).isFalse();
        assertThat(listener.isAlive()).isFalse();
    }

    @Test
    void start_removesSocketsOfTheDead_andNothingElse() throws IOException {
        String dead = deadChannel();
        List<Path> others = List.of(
                Files.createFile(directory.resolve("locks.db-wake-notes")),
                Files.createFile(sockets.path("20261125")),
                Files.createDirectory(sockets.path("00000000")),
                Files.createSymbolicLink(sockets.path("11111111"), sockets.path(dead)));
        SocketListener living = new SocketListener(sockets, received::add);
        living.start();
        sockets.send(living.channel(), WAKE);
        // It looks for them once.
        await().until(() -> received.size() == 1);
        String deadSince = deadChannel();

        listener.start();

        await().until(() -> !Files.exists(sockets.path(dead)) && !Files.exists(sockets.path(deadSince)));
        assertThat(living.isListening()).isTrue();
        assertThat(others).allSatisfy(other -> assertThat(Files.exists(other, LinkOption.NOFOLLOW_LINKS))
                .isTrue());
        living.stop();
    }

    // ---- files and rights

    @Test
    void socket_isForThoseWhoMayWriteTheFile() throws IOException {
        mode(file, "rw-rw----");

        listener.start();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(sockets.path(listener.channel()))))
                .isEqualTo("rw-rw----");
    }

    /** Others could have replaced the socket by a link to another file, whose mode would then be set. */
    @Test
    void modeOfTheSocket_isNotSet_inADirectoryWhereOthersMayWrite() throws IOException {
        mode(directory, "rwxrwxrwx");
        listener.start();
        assertThat(listener.isListening()).isTrue();
        assertThat(Files.getPosixFilePermissions(sockets.path(listener.channel())))
                .isNotEqualTo(Files.getPosixFilePermissions(file));
        listener.stop();
        await().until(() -> threads() == 0);

        mode(file, "rw-rw-rw-");
        SocketListener unreachable = new SocketListener(sockets, received::add);
        assertThatThrownBy(unreachable::start).hasMessageContaining("Not all who may write the lock file");

        assertThat(unreachable.isListening()).isFalse();
        assertThat(files(directory)).containsExactly(file);
    }

    @Test
    void channelInUse_isNotTaken() throws IOException {
        listener.start();

        assertThatThrownBy(() -> sockets.listen(listener.channel())).isInstanceOf(IOException.class);

        assertThat(listener.isListening()).isTrue();
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    /** The owner of the file could not connect to a socket of somebody else. */
    @Test
    void fileOfAnotherUser_hasNoListener() throws IOException {
        Path foreign = foreignFile();
        SocketListener there = new SocketListener(new WakeSockets(foreign), received::add);

        assertThatThrownBy(there::start).isInstanceOf(IOException.class);

        assertThat(there.isListening()).isFalse();
        assertThat(files(foreign.resolveSibling("")))
                .noneMatch(path -> path.toString().contains("-wake-"));
    }

    private Path foreignFile() throws IOException {
        Path foreign = Files.createFile(directory.resolve("foreign.db"));
        try {
            return Files.setOwner(
                    foreign,
                    foreign.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        } catch (FileSystemException e) {
            // A user who may not give files away does not own this one, nor its directory; but root of a container
            // may own it, and nothing else.
            Path system = Path.of("/etc/passwd");
            assumeThat(Files.getOwner(system)).isNotEqualTo(Files.getOwner(foreign));
            return system;
        }
    }

    @Test
    void pathThatIsTooLong_hasNoListener() throws IOException {
        Path deep = Files.createFile(directory.resolve("d".repeat(120)));
        SocketListener there = new SocketListener(new WakeSockets(deep), received::add);

        assertThatThrownBy(there::start).hasMessageContaining("too long");

        assertThat(there.isListening()).isFalse();
        assertThat(files(directory)).containsExactlyInAnyOrder(file, deep);
    }

    /** A user who writes the tables must not make clients write to any socket of the machine. */
    @Test
    void channelThatLeadsElsewhere_isNotFollowed() throws IOException {
        Files.createDirectory(directory.resolve("locks.db-wake-"));
        try (ServerSocketChannel elsewhere = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            elsewhere.bind(UnixDomainSocketAddress.of(directory.resolve("elsewhere")));
            elsewhere.configureBlocking(false);
            assertThat(sockets.path("/../elsewhere")).exists();

            assertThat(sockets.send("/../elsewhere", WAKE)).isTrue();

            assertThat(elsewhere.accept()).isNull();
        }
    }

    /** A user who may write the directory must not, either. */
    @Test
    void linkToAnotherSocket_isNotFollowed() throws IOException {
        try (ServerSocketChannel elsewhere = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path socket = directory.resolve("elsewhere");
            elsewhere.bind(UnixDomainSocketAddress.of(socket));
            elsewhere.configureBlocking(false);
            Files.createSymbolicLink(sockets.path("00000000"), socket);

            assertThat(sockets.send("00000000", WAKE)).isTrue();

            assertThat(elsewhere.accept()).isNull();
        }
    }

    private SocketChannel connect(String channel) throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(sockets.path(channel)));
    }

    private ServerSocketChannel bind(String channel) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(sockets.path(channel)), 1);
    }

    /** A channel as a killed process leaves it. */
    private String deadChannel() throws IOException {
        String channel = WakeSockets.newChannel();
        bind(channel).close();
        return channel;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    public static long threads() {
        return listeners().count();
    }

    private static Stream<Thread> listeners() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("interlock-jdbc-wakes"));
    }
}
