package dev.interlock.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of loopback that nobody listens at. */
public final class Ports {

    private static final int ATTEMPTS = 100;
    // Below the ports that the kernel gives to outgoing connections: a server that is down finds its port free when it
    // comes back.
    private static final int LOWEST = 20_000;
    private static final int BOUND = 30_000;
    private static final int FIRST_OUTGOING = 32_768;

    /** Those that were given: whoever got one may not listen at it yet. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** A port that was free a moment ago, another one each time. */
    public static int free() throws IOException {
        return free(0);
    }

    /** A port that was free a moment ago, such that the one that is so much higher was free too. */
    static int free(int offset) throws IOException {
        int bound = Math.min(BOUND, FIRST_OUTGOING - offset);
        for (int attempt = 1; ; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST, bound);
            try {
                bind(candidate);
                bind(candidate + offset);
                if (GIVEN.add(candidate)) {
                    return candidate;
                }
            } catch (IOException e) {
                if (attempt >= ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void bind(int port) throws IOException {
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
}
