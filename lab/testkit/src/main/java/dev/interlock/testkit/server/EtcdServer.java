package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An etcd of its own for a test, alone or a member of an {@link EtcdCluster}. Only where etcd is installed, or the
 * system property {@code etcd.bin} names the folder that it is in.
 */
public final class EtcdServer extends LocalServer {

    // Of a server that may stand still.
    private static final Duration HEALTH = Duration.ofSeconds(5);
    private static final Duration ANSWER = Patience.FULL;

    private final int peerPort;
    private final int healthPort;
    private final @Nullable TestCertificate certificate;
    private final List<String> options;

    /** The names and the peers' URLs of all members. */
    private String cluster;

    EtcdServer(@Nullable TestCertificate certificate, String... options) throws IOException {
        super("etcd", Ports.free());
        this.peerPort = Ports.free();
        this.healthPort = Ports.free();
        this.certificate = certificate;
        this.options = List.of(options);
        this.cluster = peer();
    }

    /** Whether there is an etcd to start. */
    public static boolean isInstalled() {
        return EtcdBinary.find("etcd").isPresent();
    }

    /** The command {@code etcdctl}; empty if it is not installed. */
    public static Optional<Path> command(String program) {
        return EtcdBinary.find(program);
    }

    /** Starts one and returns when it answers. */
    public static EtcdServer start() {
        return LocalServer.start(() -> new EtcdServer(null));
    }

    /** Starts one that listens with TLS and this certificate. */
    public static EtcdServer startWithTls(TestCertificate certificate) {
        return LocalServer.start(() -> new EtcdServer(certificate));
    }

    /** Starts one that refuses to write when its data have this size. */
    public static EtcdServer startWithQuota(long bytes) {
        return LocalServer.start(() -> new EtcdServer(null, "--quota-backend-bytes=" + bytes));
    }

    /** As a name and a URL. */
    String peer() {
        return "member-" + port() + "=http://127.0.0.1:" + peerPort;
    }

    void joins(String allPeers) {
        cluster = allPeers;
    }

    /** {@code 127.0.0.1:port}. */
    public String host() {
        return "127.0.0.1:" + port();
    }

    @Override
    List<String> command() {
        String client = (certificate == null ? "http://" : "https://") + host();
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                EtcdBinary.locate().toString(),
                "--name=member-" + port(),
                "--data-dir=" + folder().resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + cluster,
                "--listen-metrics-urls=http://127.0.0.1:" + healthPort,
                "--heartbeat-interval=50",
                "--election-timeout=500"));
        command.addAll(options);
        if (certificate != null) {
            command.add("--cert-file=" + certificate.certificate());
            command.add("--key-file=" + certificate.key());
        }
        return command;
    }

    @Override
    boolean answers() {
        try {
            return read("/health", HEALTH).contains("true");
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Whether it leads its cluster. */
    public boolean isLeader() {
        return metrics().contains("\netcd_server_is_leader 1");
    }

    /** The value of one of its metrics, without labels; 0 if it is not there. */
    public long metric(String name) {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    /**
     * How much clients have asked for up to now: each request and each watch is one, and so is a lock that the server
     * itself keeps. Signs of life are not counted.
     */
    public long requests() {
        return sum("grpc_server_msg_received_total{", line -> !line.contains("Lease"));
    }

    /** How many messages of clients this service has received up to now, such as {@code etcdserverpb.Lease}. */
    public long received(String service) {
        return sum("grpc_server_msg_received_total{", line -> line.contains("grpc_service=\"" + service + "\""));
    }

    /** How many requests it has refused up to now, because a user lacks a right. */
    public long refusals() {
        return sum("grpc_server_handled_total{", line -> line.contains("grpc_code=\"PermissionDenied\""));
    }

    private long sum(String beginning, Predicate<String> wanted) {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(beginning) && wanted.test(line))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private String metrics() {
        return read("/metrics", ANSWER);
    }

    private String read(String path, Duration patience) {
        int millis = Math.toIntExact(patience.toMillis());
        try {
            URLConnection connection =
                    URI.create("http://127.0.0.1:" + healthPort + path).toURL().openConnection();
            connection.setConnectTimeout(millis);
            connection.setReadTimeout(millis);
            try (InputStream in = connection.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("etcd does not answer: " + this, e);
        }
    }
}
