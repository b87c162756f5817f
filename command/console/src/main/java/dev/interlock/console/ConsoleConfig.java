package dev.interlock.console;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a console is to be.
 *
 * @param stores the stores, one or more; the console closes their clients
 * @param address where it listens
 * @param port the port; 0 for any that is free
 * @param hosts names by which it is reached, besides those of its address
 * @param tls null for none
 * @param insecure whether it may be reached from other machines without TLS
 * @param password what a browser has to give; null for a token in the URL, on loopback only
 * @param allowForce whether claims may be ended, and holders asked
 * @param history the file of the history; null to keep it in memory
 * @param historyLimit the most holds and waits that it keeps
 * @param version of the command
 * @param period how long to wait between two looks at a store
 * @param beat after how much silence a stream of events has a line without meaning
 * @param clock the time of day
 */
public record ConsoleConfig(
        List<WatchedStore> stores,
        InetAddress address,
        int port,
        Set<String> hosts,
        @Nullable SSLContext tls,
        boolean insecure,
        @Nullable String password,
        boolean allowForce,
        @Nullable Path history,
        int historyLimit,
        String version,
        Duration period,
        Duration beat,
        InstantSource clock) {

    /** The port of a console, unless another is given. */
    public static final int DEFAULT_PORT = 8420;

    /** The most holds and waits of a history, unless another number is given. */
    public static final int DEFAULT_HISTORY_LIMIT = 100_000;

    /**
     * Checks what excludes each other.
     *
     * @throws IllegalArgumentException if others could come in; the message says what to do
     */
    public ConsoleConfig {
        stores = List.copyOf(stores);
        hosts = Set.copyOf(hosts);
        if (!address.isLoopbackAddress()) {
            if (password == null) {
                throw new IllegalArgumentException("others can reach " + address.getHostAddress()
                        + ": a password is needed, from INTERLOCK_CONSOLE_PASSWORD, --password-file or a terminal");
            }
            if (tls == null && !insecure) {
                throw new IllegalArgumentException("others can reach " + address.getHostAddress()
                        + ": TLS is needed (--tls-keystore), or --insecure, which sends the password in the clear");
            }
        }
        if (password != null && password.isEmpty()) {
            throw new IllegalArgumentException("the password of the console is empty: give it one");
        }
    }
}
