package dev.interlock.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of loopback that nobody listens at. */
final class Ports {

    private static final int ATTEMPTS = 100;
    // Below the ports that the kernel gives to outgoing connections: a server that is down finds its port free when it
    // comes back.
    private static final int LOWEST = 20_000;
    private static final int BOUND = 30_000;

    private Ports() {}

    /** A port that was free a moment ago. */
    static int free() throws IOException {
        for (int attempt = 1; ; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST, BOUND);
            try (ServerSocket socket = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
