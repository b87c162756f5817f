package dev.interlock.zookeeper;

import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The answers of the servers to {@code srvr}, the one word that they answer by default, each on a connection of its
 * own. Not over TLS, where they are asked by a port of their own.
 */
final class ServerStatus {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int LONGEST_ANSWER = 4096;
    private static final int MOST_SERVERS = 9;
    private static final int DEFAULT_PORT = 2181;

    private final String servers;

    /** @param servers {@code h1:2181,h2:2181}; empty if they are not known */
    ServerStatus(String servers) {
        this.servers = servers;
    }

    /** Asks each of them; blocks. */
    List<Finding> findings() {
        Examination found = new Examination();
        servers.lines()
                .flatMap(all -> List.of(all.split(",", -1)).stream())
                .limit(MOST_SERVERS)
                .forEach(server -> found.attempt(
                        "server " + server,
                        "allow it by 4lw.commands.whitelist=srvr, if the server runs",
                        () -> found.good("server " + server, summary(ask(server)))));
        return found.findings();
    }

    private static String ask(String server) throws IOException {
        int colon = server.lastIndexOf(':');
        boolean hasPort = colon > server.lastIndexOf(']');
        String host = (hasPort ? server.substring(0, colon) : server).replaceAll("[\\[\\]]", "");
        int port = hasPort ? Integer.parseInt(server.substring(colon + 1)) : DEFAULT_PORT;
        int patience = Math.toIntExact(PATIENCE.toMillis());
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), patience);
            socket.setSoTimeout(patience);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
        }
    }

    private static String summary(String answer) throws IOException {
        String version = value(answer, "Zookeeper version: ");
        if (version.isEmpty()) {
            throw new IOException("it does not answer srvr");
        }
        return "ZooKeeper " + version.split("[-,]", 2)[0] + ", " + value(answer, "Mode: ") + ", latency min/avg/max "
                + value(answer, "Latency min/avg/max: ") + " ms";
    }

    private static String value(String answer, String key) {
        return answer.lines()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()))
                .findFirst()
                .orElse("");
    }
}
