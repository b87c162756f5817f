package dev.interlock.cli;

import dev.interlock.cli.common.StoreUri;
import dev.interlock.spi.KnownStore;
import dev.interlock.support.Examination;
import dev.interlock.support.Host;
import dev.interlock.support.UriForm;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The hosts in the URI of a store, looked at below what the store itself says: names, ports, connections. */
final class Hosts {

    private static final int PATIENCE_MS = 3_000;

    /** There are fewer in a URI, and each may take its time. */
    private static final int MOST = 16;

    private static final String JDBC = "jdbc:";

    /** By the scheme behind {@code jdbc:}, if there is one. Of others it is not known what their hosts are. */
    private static final Map<String, Integer> PORTS = Map.ofEntries(
            Map.entry("redis", 6379),
            Map.entry("rediss", 6379),
            Map.entry("redis-cluster", 6379),
            Map.entry("rediss-cluster", 6379),
            Map.entry("redis-sentinel", 26_379),
            Map.entry("rediss-sentinel", 26_379),
            Map.entry("zk", 2181),
            Map.entry("etcd", 2379),
            Map.entry("etcds", 2379),
            Map.entry("mongodb", 27_017),
            Map.entry("postgresql", 5432),
            Map.entry("mysql", 3306),
            Map.entry("mariadb", 3306));

    private final String scheme;
    private final List<Host> hosts;

    private Hosts(String scheme, List<Host> hosts) {
        this.scheme = scheme;
        this.hosts = hosts;
    }

    /** None where the store has no servers, or only it can read their names. */
    static Hosts of(StoreUri uri) {
        String text = uri.value();
        boolean isJdbc = text.regionMatches(true, 0, JDBC, 0, JDBC.length());
        String rest = isJdbc ? text.substring(JDBC.length()) : text;
        String scheme = rest.substring(0, Math.max(0, rest.indexOf(':'))).toLowerCase(Locale.ROOT);
        Integer port = PORTS.get(scheme);
        if (port == null) {
            return new Hosts(scheme, List.of());
        }
        UriForm form = new UriForm("a store URI", List.of(scheme), scheme + "://host:port", port);
        try {
            List<Host> hosts = dev.interlock.support.StoreUri.parse(rest, form).hosts();
            return new Hosts(scheme, hosts.subList(0, Math.min(MOST, hosts.size())));
        } catch (IllegalArgumentException e) {
            // Only its driver can read it.
            return new Hosts(scheme, List.of());
        }
    }

    /**
     * Connects to each, and says what came of it.
     *
     * @return whether one of them took a connection; true if there are none
     */
    boolean look(Examination found) {
        boolean taken = hosts.isEmpty();
        for (Host host : hosts) {
            taken |= connect(host, found);
        }
        return taken;
    }

    private boolean connect(Host host, Examination found) {
        InetSocketAddress address = new InetSocketAddress(host.name(), host.port());
        if (address.isUnresolved()) {
            found.bad(
                    "host",
                    "the name " + host.name() + " is not known to this machine",
                    "correct the host in the URI, or the name service of this machine");
            return false;
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, PATIENCE_MS);
            found.good("host", host + " takes connections");
            return true;
        } catch (SocketTimeoutException e) {
            found.bad(
                    "host",
                    host + " did not answer within " + PATIENCE_MS / 1_000 + " s",
                    "let firewalls between here and " + host + " pass connections, or correct the host in the URI");
        } catch (ConnectException e) {
            found.bad(
                    "host",
                    host + " refuses connections",
                    "start the server, or correct the port in the URI: the usual one of " + scheme + " is "
                            + PORTS.get(scheme));
        } catch (IOException e) {
            found.bad("host", host + " cannot be reached: " + e.getMessage(), "correct the host in the URI");
        }
        return false;
    }

    /**
     * What to do if a server does not answer as the store wants.
     *
     * @param silent whether it says nothing
     */
    String advice(boolean silent) {
        for (Host host : hosts) {
            String meant = KnownStore.advice(host.toString());
            if (!meant.isEmpty() && !meant.contains(scheme + "://")) {
                return "correct the port in the URI, or its scheme" + meant;
            }
        }
        return silent
                ? "look at the server: it takes connections and is silent, as if it were stopped or overloaded; if it"
                        + " is not, correct the port or the scheme (TLS or not) in the URI"
                : "correct what the message names: the user, the password, the scheme (TLS or not), or the rights,"
                        + " which the page of this store lists";
    }
}
