package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The name of a server for the JVMs that are started with {@link #jvmOptions}, as a fail-over by DNS moves it: the
 * server is reached at one address of loopback and, after {@link #move}, at another only. To be used by one thread.
 */
public final class MovableName implements AutoCloseable {

    /** The name. */
    public static final String NAME = "primary.test";

    private static final List<String> ADDRESSES = List.of("127.0.0.2", "127.0.0.3");

    private final int server;
    private final int port;
    private final Path folder;
    private FaultProxy way;

    /** A name for the server on this port of loopback. */
    public MovableName(int server) throws IOException {
        this.server = server;
        this.port = Ports.free();
        this.folder = ServerFolder.create("name-" + port);
        way = wayBy(ADDRESSES.get(0));
    }

    private FaultProxy wayBy(String address) {
        try {
            FaultProxy opened = FaultProxy.at(InetAddress.getByName(address), port, server);
            Files.writeString(hosts(), "127.0.0.1 localhost\n" + address + " " + NAME + "\n");
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path hosts() {
        return folder.resolve("hosts");
    }

    /** The port at all addresses. */
    public int port() {
        return port;
    }

    /** Has a JVM know the name. */
    public List<String> jvmOptions() {
        return List.of("-Djdk.net.hosts.file=" + hosts());
    }

    /** Ends all connections, and moves the name to another address. */
    public void move() {
        way.close();
        way = wayBy(ADDRESSES.get(1));
    }

    @Override
    public void close() {
        way.close();
        ServerFolder.delete(folder);
    }
}
