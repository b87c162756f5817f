package dev.interlock.evidence;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the lock guards: a server of this process that takes writes, and refuses one whose token is smaller than the
 * largest that it has seen, or as large and of another hold. A write without a token it must take. Clients also send it
 * the other events of their histories: what they sent before they were killed is not lost.
 */
final class Resource implements AutoCloseable {

    private final History history;
    private final ServerSocket listening;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    // Guarded by the history, so that the order of its events is that of the writes.
    private long largest = Rival.NO_TOKEN;
    private int ownerClient;
    private int ownerHold;

    Resource(History history) {
        this.history = history;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("The resource cannot listen", e);
        }
        start("resource", this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() {
        closeQuietly(listening);
        clients.forEach(Resource::closeQuietly);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                client.setTcpNoDelay(true);
                clients.add(client);
                start("resource-" + client.getPort(), () -> serve(client));
            } catch (IOException e) {
                // Closed; the loop's condition knows.
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                Writer out = new java.io.OutputStreamWriter(client.getOutputStream(), StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Event event = Event.ofLine(line);
                if (event.what() == What.WROTE) {
                    out.write(take(event) ? "1\n" : "0\n");
                    out.flush();
                } else {
                    history.add(event);
                }
            }
        } catch (IOException e) {
            // The client is gone.
        } finally {
            clients.remove(client);
        }
    }

    /** Decides about a write, and notes it with the time at which it came here. */
    boolean take(Event write) {
        synchronized (history) {
            boolean taken = isInOrder(write);
            history.add(new Event(
                    System.nanoTime(),
                    write.client(),
                    write.hold(),
                    taken ? What.WROTE : What.REFUSED,
                    write.token(),
                    ""));
            return taken;
        }
    }

    private boolean isInOrder(Event write) {
        if (write.token() == Rival.NO_TOKEN) {
            return true;
        }
        boolean isOwner = write.client() == ownerClient && write.hold() == ownerHold;
        if (write.token() < largest || (write.token() == largest && !isOwner)) {
            return false;
        }
        largest = write.token();
        ownerClient = write.client();
        ownerHold = write.hold();
        return true;
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // A socket that fails to close is closed.
        }
    }
}
