package dev.interlock.console;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A running console: it serves its page and its data until it is closed. It keeps a thread for each store, and some for
 * browsers.
 */
public final class Console implements AutoCloseable {

    /** The most rows of one event: a page that has missed more asks again for what it shows. */
    static final int MOST_ROWS = 200;

    /**
     * What the server of the JDK reads once. How many seconds a client may take to send a request; and the most
     * connections, beyond which it closes each new one. It reads a request in a thread that waits for it, so there may
     * be a thread for each connection: a few that send nothing keep nobody else from being served.
     */
    private static final Map<String, String> LIMITS =
            Map.of("sun.net.httpserver.maxReqTime", "10", "jdk.httpserver.maxConnections", "256");

    private static final int MOST_THREADS = 256;

    /** How long the end waits for the looks under way, and for the clients of the stores. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /** How often to see whether a look is overdue. */
    private static final long OVERDUE_CHECK_SECONDS = 1;

    private static final Pattern IP_LITERAL = Pattern.compile("\\d+(\\.\\d+){3}|\\[[0-9a-f:.%]+]");

    private final ConsoleConfig config;
    private final HttpServer server;
    private final History history;
    private final Events events;
    private final List<StoreWatch> watches = new ArrayList<>();
    private final Gate gate;
    private final String token = newSecret();
    private final Api api;
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService timer;

    /** What was published last, so that only changes are. */
    private final AtomicReference<Map<String, Object>> totals = new AtomicReference<>(Map.of());

    private final AtomicReference<String> conditions = new AtomicReference<>("");

    private Console(ConsoleConfig config, HttpServer server, History history) {
        this.config = config;
        this.server = server;
        this.history = history;
        this.events = new Events(config.beat());
        int number = 1;
        for (WatchedStore store : config.stores()) {
            watches.add(new StoreWatch("s" + number++, store, history, config.clock(), config.period(), this::looked));
        }
        this.api = new Api(
                List.copyOf(watches),
                history,
                events,
                new Actions(history, config.clock()),
                config.clock(),
                config.version());
        ThreadFactory factory = task -> {
            Thread thread = new Thread(task, "interlock-console");
            thread.setDaemon(true);
            return thread;
        };
        this.threads = new ThreadPoolExecutor(0, MOST_THREADS, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), factory);
        this.timer = Executors.newSingleThreadScheduledExecutor(factory);
        this.gate = new Gate(
                new Gate.Secrets(
                        "interlock-console-" + port(),
                        newSecret(),
                        token,
                        newSecret(),
                        config.password(),
                        config.tls() != null,
                        config.allowForce(),
                        hosts(config)),
                api,
                timer,
                System::nanoTime);
    }

    /**
     * Starts a console.
     *
     * @throws IOException if it cannot listen there, or cannot use the history; the message says which. The clients of
     *     the stores are closed then
     */
    public static Console start(ConsoleConfig config) throws IOException {
        LIMITS.forEach((property, value) -> {
            if (System.getProperty(property) == null) {
                System.setProperty(property, value);
            }
        });
        try {
            HttpServer server = server(config);
            try {
                Console console = new Console(config, server, History.open(config.history(), config.historyLimit()));
                console.begin();
                return console;
            } catch (IOException | RuntimeException e) {
                server.stop(0);
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            config.stores().forEach(store -> store.client().close());
            throw e;
        }
    }

    private static HttpServer server(ConsoleConfig config) throws IOException {
        InetSocketAddress address = new InetSocketAddress(config.address(), config.port());
        try {
            if (config.tls() == null) {
                return HttpServer.create(address, 0);
            }
            HttpsServer server = HttpsServer.create(address, 0);
            server.setHttpsConfigurator(new HttpsConfigurator(config.tls()));
            return server;
        } catch (SocketException e) {
            throw new IOException(
                    "it cannot listen on " + literal(config.address()) + ":" + config.port() + " (" + e.getMessage()
                            + "); give it another --port or --bind",
                    e);
        }
    }

    private void begin() {
        server.createContext("/", gate);
        server.setExecutor(threads);
        server.start();
        watches.forEach(StoreWatch::start);
        // A look that is overdue cannot say so itself.
        var unused = timer.scheduleWithFixedDelay(
                this::publishStates, OVERDUE_CHECK_SECONDS, OVERDUE_CHECK_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * An address in numbers cannot lead a browser to another site than the one that it shows. A name can, if somebody
     * else decides what it means.
     */
    private static Predicate<String> hosts(ConsoleConfig config) {
        Set<String> names = config.hosts().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        boolean loopback = config.address().isLoopbackAddress();
        return host -> names.contains(host)
                || host.equals("localhost")
                || (loopback
                        ? host.equals("127.0.0.1") || host.equals("[::1]") || host.equals(literal(config.address()))
                        : IP_LITERAL.matcher(host).matches());
    }

    private static String newSecret() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void looked(StoreWatch watch, Snapshot.Difference difference) {
        if (!difference.isEmpty()) {
            publish(watch, difference);
        }
        // Of two stores that change at once each sees the other's change, and one of them publishes.
        Map<String, Object> now = new Views(watches).totals();
        if (!totals.getAndSet(now).equals(now)) {
            events.publish(api.totalsEvent(now));
        }
        publishStates();
    }

    private void publishStates() {
        String states = watches.stream()
                .map(watch -> watch.state().condition() + " " + watch.state().message() + " "
                        + watch.state().snapshot().isComplete() + " " + watch.overdueSince())
                .collect(Collectors.joining("\n"));
        if (!conditions.getAndSet(states).equals(states)) {
            events.publish(api.storesEvent());
        }
    }

    private void publish(StoreWatch watch, Snapshot.Difference difference) {
        List<SeenName> changed = difference.changed();
        List<SeenName.Key> gone = difference.gone();
        boolean complete = changed.size() + gone.size() <= MOST_ROWS;
        if (!complete) {
            changed = changed.subList(0, Math.min(changed.size(), MOST_ROWS));
            gone = gone.subList(0, Math.min(gone.size(), MOST_ROWS - changed.size()));
        }
        events.publish(api.changesEvent(watch, changed, gone, complete));
    }

    /** The port on which it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** The address for a browser: with the token if there is no password. */
    public String url() {
        return address() + (config.password() == null ? "/?token=" + token : "/");
    }

    /** The same with another token, which lets only the first in who uses it. */
    public String urlForOnce() {
        if (config.password() != null) {
            return url();
        }
        String once = newSecret();
        gate.admitOnce(once);
        return address() + "/?token=" + once;
    }

    private String address() {
        String scheme = config.tls() == null ? "http://" : "https://";
        InetAddress address = config.address();
        String host = config.hosts().stream()
                .sorted()
                .findFirst()
                .orElse(address.isAnyLocalAddress() ? "localhost" : literal(address));
        return scheme + host + ":" + port();
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        return text.indexOf(':') >= 0 ? "[" + text + "]" : text;
    }

    /**
     * Ends all streams, stops to look, and closes the clients of the stores and the history. Within two seconds: what
     * has not ended by then is left to threads that do not keep the process. Idempotent.
     */
    @Override
    public void close() {
        events.close();
        server.stop(0);
        closeWatches();
        threads.shutdownNow();
        timer.shutdownNow();
        history.close();
    }

    private void closeWatches() {
        long endNanos = System.nanoTime() + CLOSE.toNanos();
        List<Thread> closing = new ArrayList<>();
        for (StoreWatch watch : watches) {
            Thread thread = new Thread(watch::close, "interlock-console-close");
            thread.setDaemon(true);
            thread.start();
            closing.add(thread);
        }
        try {
            for (Thread thread : closing) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
