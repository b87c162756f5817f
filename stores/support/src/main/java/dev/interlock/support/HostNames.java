package dev.interlock.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the names of servers anew at each call. Java keeps an address for 30 s, as long as a lease lasts by default:
 * if a fail-over moves the name of a server, every lease would be lost before a client asks for the new address. So the
 * file of hosts and the name servers are asked directly, as the system's own resolver would ask them. What they say
 * about how long an address may be kept, the name servers observe themselves.
 *
 * <p>Java's resolver decides where this one does not know what the system would do: where neither a file nor the
 * configured name servers know the name, or answer; for {@code localhost}, {@code .local} and addresses; if the system
 * asks other sources, too, or is not Linux; and if the application or the administrator has set how long Java keeps
 * addresses ({@code networkaddress.cache.ttl}).
 */
public final class HostNames {

    /** The file that Java's own resolver reads in place of all sources, if it is set. */
    private static final String JAVA_HOSTS = "jdk.net.hosts.file";

    /** What the system may ask besides, for names that no name server knows. */
    private static final Set<String> SOURCES = Set.of("files", "dns", "resolve", "myhostname", "mymachines");

    /** What JNDI takes for a name in the name service, and not for a URL or a path of several names. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,253}");

    private static final String FIRST_WAIT_MILLIS = "400";
    private static final String WAITS = "2";
    private static final int DNS_PORT = 53;

    private final @Nullable Path javaHosts;
    private final Path etc;
    private final int port;

    /**
     * @param javaHosts the only source of names; null to ask as the system would
     * @param etc the folder with the system's configuration
     * @param port the port of the name servers
     */
    HostNames(@Nullable Path javaHosts, Path etc, int port) {
        this.javaHosts = javaHosts;
        this.etc = etc;
        this.port = port;
    }

    /**
     * The addresses of a host, at least one. Waits for name servers, for some seconds if they do not answer.
     *
     * @throws UnknownHostException if nobody knows the name
     */
    public static InetAddress[] resolve(String host) throws UnknownHostException {
        if (isKnown(host) || isLeftToJava()) {
            return InetAddress.getAllByName(host);
        }
        String javaHosts = System.getProperty(JAVA_HOSTS);
        Path only = javaHosts == null || javaHosts.isEmpty() ? null : Path.of(javaHosts);
        if (only == null && !"Linux".equals(System.getProperty("os.name"))) {
            return InetAddress.getAllByName(host);
        }
        List<InetAddress> found = new HostNames(only, Path.of("/etc"), DNS_PORT).lookUp(host);
        return found.isEmpty() ? InetAddress.getAllByName(host) : found.toArray(new InetAddress[0]);
    }

    /** Whether the host is an address, or this machine: nobody has to be asked. */
    public static boolean isKnown(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.indexOf(':') >= 0
                || name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))
                || name.equals("localhost")
                || name.endsWith(".localhost");
    }

    private static boolean isLeftToJava() {
        return Security.getProperty("networkaddress.cache.ttl") != null
                || System.getProperty("sun.net.inetaddr.ttl") != null
                || "system".equalsIgnoreCase(System.getProperty("java.net.preferIPv6Addresses"));
    }

    /** The addresses; none if Java's resolver has to decide. */
    List<InetAddress> lookUp(String host) {
        try {
            if (javaHosts != null) {
                return inFile(javaHosts, host);
            }
            if (host.toLowerCase(Locale.ROOT).endsWith(".local") || !areSourcesKnown()) {
                return List.of();
            }
            List<InetAddress> listed = inFile(etc.resolve("hosts"), host);
            return listed.isEmpty() ? byNameServers(host) : listed;
        } catch (IOException | NamingException | RuntimeException | LinkageError e) {
            // A file that is missing, servers that do not answer, a Java runtime without their client.
            return List.of();
        }
    }

    // ---- files

    /** The words of each line, without comments. */
    private static Stream<List<String>> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> line.replaceFirst("[#;].*", "").strip())
                .filter(line -> !line.isEmpty())
                .map(line -> List.of(line.split("\\s+")));
    }

    private static List<InetAddress> inFile(Path file, String host) throws IOException {
        List<InetAddress> found = new ArrayList<>();
        for (List<String> line : lines(file).toList()) {
            boolean named = line.stream().skip(1).anyMatch(host::equalsIgnoreCase);
            if (named && isKnown(line.get(0))) {
                found.add(named(host, line.get(0)));
            }
        }
        return found;
    }

    /** Systems without this file ask files and name servers. */
    private boolean areSourcesKnown() throws IOException {
        Path file = etc.resolve("nsswitch.conf");
        if (!Files.exists(file)) {
            return true;
        }
        return lines(file)
                .filter(line -> line.get(0).equals("hosts:"))
                .flatMap(line -> Arrays.stream(String.join(" ", line.subList(1, line.size()))
                        .replaceAll("\\[[^]]*]", " ")
                        .split("\\s+")))
                .allMatch(source -> source.isEmpty() || SOURCES.contains(source) || source.startsWith("mdns"));
    }

    // ---- name servers

    private record Configuration(List<String> servers, List<String> search, int dots) {}

    private Configuration configuration() throws IOException {
        List<String> servers = new ArrayList<>();
        List<String> search = List.of();
        int dots = 1;
        for (List<String> line : lines(etc.resolve("resolv.conf")).toList()) {
            List<String> values = line.subList(1, line.size());
            switch (line.get(0)) {
                case "nameserver" -> servers.addAll(values);
                case "search", "domain" -> search = values;
                case "options" ->
                    dots = values.stream()
                            .filter(option -> option.matches("ndots:\\d{1,2}"))
                            .map(option -> Integer.valueOf(option.substring("ndots:".length())))
                            .findFirst()
                            .orElse(dots);
                default -> {
                    // What does not change the answers.
                }
            }
        }
        return new Configuration(servers, search, dots);
    }

    private List<InetAddress> byNameServers(String host) throws IOException, NamingException {
        Configuration known = configuration();
        if (known.servers().isEmpty() || !PLAIN.matcher(host).matches()) {
            return List.of();
        }
        DirContext servers = connect(known.servers());
        try {
            for (String name : candidates(host, known)) {
                List<InetAddress> found = ask(servers, host, name);
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return List.of();
        } finally {
            servers.close();
        }
    }

    /** The names to ask for, in the order in which the system's resolver does. */
    private static List<String> candidates(String host, Configuration known) {
        if (host.endsWith(".")) {
            return List.of(host);
        }
        List<String> names = new ArrayList<>();
        known.search().forEach(domain -> names.add(host + '.' + domain));
        boolean many = host.chars().filter(c -> c == '.').count() >= known.dots();
        names.add(many ? 0 : names.size(), host);
        return names;
    }

    private DirContext connect(List<String> servers) throws NamingException {
        Properties settings = new Properties();
        settings.setProperty(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        settings.setProperty(
                Context.PROVIDER_URL,
                String.join(
                        " ",
                        servers.stream()
                                .map(server -> "dns://" + new Host(server, port))
                                .toList()));
        settings.setProperty("com.sun.jndi.dns.timeout.initial", FIRST_WAIT_MILLIS);
        settings.setProperty("com.sun.jndi.dns.timeout.retries", WAITS);
        return new InitialDirContext(settings);
    }

    /** As Java, one kind of addresses before the other. */
    private static List<InetAddress> ask(DirContext servers, String host, String name)
            throws NamingException, UnknownHostException {
        List<String> kinds = Boolean.getBoolean("java.net.preferIPv4Stack")
                ? List.of("A")
                : Boolean.getBoolean("java.net.preferIPv6Addresses") ? List.of("AAAA", "A") : List.of("A", "AAAA");
        for (String kind : kinds) {
            List<InetAddress> found = new ArrayList<>();
            for (String address : records(servers, kind, name)) {
                found.add(named(host, address));
            }
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    // The name is plain, so only the client of name servers is asked, and that reads texts and no objects.
    @SuppressWarnings("BanJNDI")
    private static List<String> records(DirContext servers, String kind, String name) throws NamingException {
        try {
            Attribute records = servers.getAttributes(name.endsWith(".") ? name : name + '.', new String[] {kind})
                    .get(kind);
            if (records == null) {
                return List.of();
            }
            NamingEnumeration<?> each = records.getAll();
            return Collections.list(each).stream()
                    .map(Objects::toString)
                    .filter(HostNames::isKnown)
                    .toList();
        } catch (NameNotFoundException e) {
            return List.of();
        }
    }

    /** An address with the name as its host, which certificates and Kerberos are checked against. */
    private static InetAddress named(String host, String address) throws UnknownHostException {
        return InetAddress.getByAddress(host, InetAddress.getByName(address).getAddress());
    }
}
