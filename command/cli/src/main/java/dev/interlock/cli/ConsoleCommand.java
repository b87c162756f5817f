package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Client;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.console.Console;
import dev.interlock.console.ConsoleConfig;
import dev.interlock.console.WatchedStore;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Printable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code interlock console}. */
@Command(
        name = "console",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Serve a web page that shows the locks of a store, or of several, until Ctrl-C.",
        footer = {"", "It prints the URL to open, which has a token in it. Others on the machine cannot guess it."})
final class ConsoleCommand implements Callable<Integer> {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration BEAT = Duration.ofSeconds(15);

    /** A store that is silent is said to be down after this time. */
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "A store to show, as for 'interlock ls'; may be given several times. Default: as for ls.")
    private List<String> stores = new ArrayList<>();

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "The port. Default: " + ConsoleConfig.DEFAULT_PORT + ", or any if that is in use.")
    private @Nullable Integer port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "Listen on this address. Another one than of loopback needs a password, and --tls-keystore or "
                            + "--insecure. Default: ${DEFAULT-VALUE}")
    private String bind = "127.0.0.1";

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "A name by which browsers reach the console; may be given several times.")
    private List<String> hosts = new ArrayList<>();

    @Option(names = "--insecure", description = "Let others in without TLS: passwords go through the network.")
    private boolean insecure;

    @Mixin
    private SecretOptions secrets = new SecretOptions();

    @Option(names = "--allow-force", description = "Let the page end claims, and ask holders to let go.")
    private boolean allowForce;

    @Option(names = "--open", description = "Open the page in the browser.")
    private boolean open;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Write what is seen into this file. Default: "
                    + "$${XDG_STATE_HOME:-~/.local/state}/interlock/console.db")
    private @Nullable Path history;

    @Option(names = "--no-history", description = "Write no file: what was seen is forgotten at the end.")
    private boolean noHistory;

    @Option(
            names = "--history-limit",
            paramLabel = "N",
            defaultValue = "" + ConsoleConfig.DEFAULT_HISTORY_LIMIT,
            description = "The most holds and waits that the history keeps. Default: ${DEFAULT-VALUE}")
    private int historyLimit = ConsoleConfig.DEFAULT_HISTORY_LIMIT;

    @Option(
            names = {"-v", "--verbose"},
            description = "Say what happens, and the cause of an error.")
    private boolean verbose;

    @Override
    public Integer call() throws InterruptedException, IOException {
        check();
        List<StoreUri> uris = uris();
        if (verbose) {
            List<String> known = uris.stream().map(StoreUri::value).toList();
            Logging.forwardWarnings(warning -> System.err.println("interlock: " + ErrorReporter.line(warning, known)));
        }
        CountDownLatch ended = new CountDownLatch(1);
        try (Console console = start(uris)) {
            // The hook holds the end of the JVM up until the clients and the file are closed.
            Runtime.getRuntime().addShutdownHook(new Thread(console::close, "close-console"));
            System.out.println(console.url());
            System.out.flush();
            System.err.println("interlock: " + Printable.of(report(uris)));
            if (open) {
                browse(console.urlForOnce());
            }
            ended.await();
        }
        return ExitCode.OK;
    }

    private void check() {
        if (port != null && (port < 0 || port > 65_535)) {
            throw CommandException.usage("--port must be from 0 to 65535: " + port);
        }
        if (historyLimit < 1) {
            throw CommandException.usage("--history-limit must be 1 or more: " + historyLimit);
        }
        if (noHistory && history != null) {
            throw CommandException.usage("--history and --no-history exclude each other; allowed is one of them");
        }
    }

    private String report(List<StoreUri> uris) {
        return (allowForce ? "may end claims" : "read-only") + "; shows "
                + String.join(", ", uris.stream().map(StoreUri::withoutPassword).toList()) + "; Ctrl-C ends it";
    }

    private List<StoreUri> uris() {
        if (stores.isEmpty()) {
            return List.of(DefaultStore.locate(System.getenv()));
        }
        List<StoreUri> uris =
                stores.stream().map(store -> StoreUri.checked(store, "--store")).toList();
        List<String> shown = uris.stream().map(StoreUri::withoutPassword).toList();
        if (Set.copyOf(shown).size() < shown.size()) {
            throw CommandException.usage(
                    "--store names a store twice; allowed is each of them once: " + String.join(", ", shown));
        }
        return uris;
    }

    private Console start(List<StoreUri> uris) throws IOException {
        InetAddress address = address();
        String password = secrets.password(!address.isLoopbackAddress());
        List<WatchedStore> watched = new ArrayList<>();
        try {
            for (StoreUri uri : uris) {
                watched.add(watched(uri));
            }
            return Console.start(new ConsoleConfig(
                    watched,
                    address,
                    port == null ? freePort(address) : port,
                    Set.copyOf(hosts),
                    secrets.tls(),
                    insecure,
                    password,
                    allowForce,
                    noHistory ? null : history != null ? history : DefaultStore.history(System.getenv()),
                    historyLimit,
                    Version.number(),
                    PERIOD,
                    BEAT,
                    InstantSource.system()));
        } catch (IllegalArgumentException e) {
            watched.forEach(store -> store.client().close());
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } catch (CommandException e) {
            watched.forEach(store -> store.client().close());
            throw e;
        } catch (IOException e) {
            throw new CommandException(ExitCode.UNAVAILABLE, "the console cannot start: " + e.getMessage(), e);
        }
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new CommandException(
                    ExitCode.USAGE, "--bind must be an address of this machine, such as 0.0.0.0: '" + bind + "'", e);
        }
    }

    private static int freePort(InetAddress address) {
        try (ServerSocket socket = new ServerSocket(ConsoleConfig.DEFAULT_PORT, 1, address)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
    }

    private static WatchedStore watched(StoreUri uri) {
        // Opened as by every command, which says what is wrong with the URI.
        Client.open(uri, "interlock console").close();
        LockStore store = Client.store(uri);
        Interlock client = Interlock.builder(store)
                .application("interlock console")
                .attemptTimeout(STORE_TIMEOUT)
                .storeTimeout(STORE_TIMEOUT)
                .build();
        return new WatchedStore(
                uri.withoutPassword(),
                client,
                store.capabilities().contains(Capability.REVOCATION),
                failure -> ErrorReporter.line(
                        failure instanceof StoreUnavailableException
                                ? ErrorReporter.unavailable(failure)
                                : String.valueOf(failure.getMessage()),
                        List.of(uri.value())));
    }

    /** Its arguments can be read by others on the machine: the URL is good for the first who uses it. */
    private static void browse(String url) {
        String program = System.getProperty("os.name").startsWith("Mac") ? "open" : "xdg-open";
        try {
            new ProcessBuilder(program, url)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            System.err.println("interlock: " + program + " cannot be started; open the URL yourself");
        }
    }
}
