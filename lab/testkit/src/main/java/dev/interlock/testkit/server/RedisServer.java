package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A redis-server of its own for a test: on loopback, without persistence, its files under {@code target/}, gone when
 * closed and at the latest with this JVM. By default the bundled Redis 7.0.9; the system property {@code redis.bin}
 * names an installed server to run instead, or by {@code 6.2} the bundled one of that version.
 */
public final class RedisServer extends LocalServer {

    /** Whoever is asked whether it serves may be somebody else, who says nothing. */
    private static final int ANSWER_MILLIS = 5_000;

    private final String config;
    private final boolean sentinel;
    private final String password;
    private final int tlsPort;
    private final boolean settableClock;

    private RedisServer(Builder builder, int port) throws IOException {
        super("redis", port);
        this.tlsPort = builder.certificate == null ? 0 : Ports.free();
        this.password = builder.password;
        this.sentinel = builder.sentinel;
        this.settableClock = builder.settableClock;
        if (settableClock) {
            makeClockSettable();
        }
        this.config = config(builder);
    }

    /** A server with default settings. */
    public static RedisServer start() {
        return builder().start();
    }

    /** A server to be configured. */
    public static Builder builder() {
        return new Builder();
    }

    /** Where it listens for TLS; 0 if it does not. */
    public int tlsPort() {
        return tlsPort;
    }

    /** {@code redis://127.0.0.1:port}, with the password if it has one. */
    public String uri() {
        return uriAt(port());
    }

    /** The same URI with another port: that of a proxy in front of this server. */
    public String uriAt(int otherPort) {
        String credentials = password.isEmpty() ? "" : ":" + URLEncoder.encode(password, StandardCharsets.UTF_8) + "@";
        return "redis://" + credentials + "127.0.0.1:" + otherPort;
    }

    /**
     * Sends one command on a connection of its own, with all rights.
     *
     * @return the reply as text; the elements of an array in lines; nil as an empty text
     * @throws IllegalStateException if the server answers with an error; the message is the server's
     */
    public String command(String... words) {
        return String.join("\n", list(words));
    }

    /** Like {@link #command}, each element of the reply by itself; nil is no element. */
    public List<String> list(String... words) {
        try (RespConnection connection = new RespConnection(port())) {
            if (!password.isEmpty()) {
                connection.command("AUTH", password);
            }
            return connection.command(words);
        } catch (IOException e) {
            throw new UncheckedIOException("The redis-server did not answer: port=" + port(), e);
        }
    }

    /**
     * How often clients and scripts have called this command (in lower case) since the start or the last {@code CONFIG
     * RESETSTAT}.
     */
    public long calls(String command) {
        List<String> lines = command("INFO", "commandstats").lines().toList();
        // Before Redis 7 a command is counted whole, and not by its parts.
        boolean parts = lines.stream().anyMatch(line -> line.contains("|"));
        String counted = parts ? command : command.replaceFirst("\\|.*", "");
        String prefix = "cmdstat_" + counted + ":calls=";
        for (String line : lines) {
            if (line.startsWith(prefix)) {
                return Long.parseLong(line.substring(prefix.length(), line.indexOf(',')));
            }
        }
        return 0;
    }

    /** Waits until this server, a replica, has taken over its master's data and follows it. */
    public void awaitReplication() {
        Awaitility.await("the replica follows its master")
                .atMost(Patience.FULL)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> command("INFO", "replication").contains("master_link_status:up"));
    }

    private String config(Builder builder) {
        List<String> lines =
                new ArrayList<>(List.of("bind 127.0.0.1", "port " + port(), "dir " + folder(), "daemonize no"));
        if (!builder.sentinel) {
            lines.addAll(List.of("save \"\"", "appendonly no", "repl-diskless-sync-delay 0"));
        }
        if (!password.isEmpty()) {
            lines.add("requirepass " + password);
        }
        TestCertificate certificate = builder.certificate;
        if (certificate != null) {
            lines.add("tls-port " + tlsPort);
            lines.add("tls-cert-file " + certificate.certificate());
            lines.add("tls-key-file " + certificate.key());
            lines.add("tls-ca-cert-file " + certificate.certificate());
            lines.add("tls-auth-clients no");
        }
        lines.addAll(builder.lines);
        return String.join("\n", lines) + "\n";
    }

    /** A Sentinel wants its configuration in a file, where it writes down what it learns. */
    @Override
    List<String> command() throws IOException {
        String binary = (settableClock ? RedisBinary.withClock() : RedisBinary.locate()).toString();
        if (!sentinel) {
            return List.of(binary, "-");
        }
        Path file = Files.writeString(folder().resolve("sentinel.conf"), config);
        return List.of(binary, file.toString(), "--sentinel");
    }

    @Override
    String input() {
        return sentinel ? "" : config;
    }

    @Override
    boolean answers() {
        try (RespConnection connection = new RespConnection(port(), ANSWER_MILLIS)) {
            connection.command("PING");
            return true;
        } catch (IOException e) {
            return false;
        } catch (IllegalStateException e) {
            // It wants a password: so it is up.
            return true;
        }
    }

    /** Settings of a server. */
    public static final class Builder {
        private static final int CLUSTER_PORT_OFFSET = 10_000;

        private final List<String> lines = new ArrayList<>();
        private String password = "";
        private int port;
        private boolean cluster;
        private boolean sentinel;
        private boolean settableClock;
        private @Nullable TestCertificate certificate;

        private Builder() {}

        /** The password of the default user; none by default. */
        public Builder password(String newPassword) {
            this.password = newPassword;
            return this;
        }

        /** The port; a free one by default. */
        public Builder port(int newPort) {
            this.port = newPort;
            return this;
        }

        /** Lets it listen on a second port, with TLS and this certificate. */
        public Builder tls(TestCertificate newCertificate) {
            this.certificate = newCertificate;
            return this;
        }

        /**
         * Lets {@link RedisServer#clock} set the server's clock, by libfaketime. By default this is the bundled Redis
         * 6.2, since that of the usual version is linked statically.
         */
        public Builder settableClock() {
            this.settableClock = true;
            return this;
        }

        /** Runs it as a Sentinel, which holds no data. */
        Builder asSentinel() {
            this.sentinel = true;
            return this;
        }

        /** Takes a port such that the one for the talk within a cluster, which is 10 000 higher, is free too. */
        public Builder forCluster() {
            this.cluster = true;
            return this;
        }

        /**
         * A line of the configuration file, such as {@code maxmemory-policy allkeys-lru} or {@code user app on >secret
         * ~* &* +@all}.
         */
        public Builder config(String line) {
            lines.add(line);
            return this;
        }

        /**
         * Starts it and returns when it answers.
         *
         * @throws UncheckedIOException if it does not; the message has the server's log
         */
        public RedisServer start() {
            return LocalServer.start(this::make);
        }

        private RedisServer make() throws IOException {
            return new RedisServer(this, port != 0 ? port : Ports.free(cluster ? CLUSTER_PORT_OFFSET : 0));
        }
    }
}
