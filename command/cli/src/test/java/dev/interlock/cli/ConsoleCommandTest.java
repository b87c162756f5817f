package dev.interlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code console} and {@code history} as processes, and what they refuse. */
@Tag("wide")
final class ConsoleCommandTest {

    private static final Pattern URL = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/\\?token=[0-9a-f]{32}");

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory);
    }

    @Test
    void console_servesTheLocks_andHistoryTellsOfThemAfterwards() throws Exception {
        try (RedisServer server = RedisServer.builder().password("hush").start();
                Interlock interlock = Interlock.connect(server.uri())) {
            Lease lease = interlock.lock("nightly").acquire();
            Cli.Running console = cli.start(
                    "console",
                    "--port",
                    "0",
                    "--store",
                    server.uri(),
                    "--store",
                    StoreUri.sqlite(directory.resolve("locks.db")).value());
            console.awaitError("read-only; shows redis://127.0.0.1:" + server.port() + ", sqlite:");
            Matcher url = URL.matcher(Files.readString(console.out()));
            assertThat(url.find()).isTrue();

            HttpClient client = HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
            get(client, url.group());
            String base = url.group().substring(0, url.group().indexOf("/?"));
            Awaitility.await().until(() -> get(client, base + "/api/names").contains("\"name\":\"nightly\""));
            lease.close();
            Awaitility.await()
                    .until(() -> get(client, base + "/api/history?name=nightly").contains("\"end\":\"ended\""));
            String all = get(client, base + "/api/session");
            console.process().destroy();
            Cli.Result ended = console.result().exited(143);

            assertThat(all).contains("\"allowForce\":false");
            assertThat(all + ended.out() + ended.err()).doesNotContain("hush");
            String text = cli.run("history", "nightly").exited(0).out();
            assertThat(text)
                    .contains("BEGAN", "held, exclusive", "ended", "not seen")
                    .doesNotContain("hush");
            assertThat(JsonReader.read(cli.run("history", "nightly", "--json", "--since", "1h", "--store", server.uri())
                            .exited(0)
                            .out()))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .extracting(record -> String.valueOf(((Map<?, ?>) record).get("type")))
                    .contains("hold", "unseen");
            assertThat(cli.run("history", "nobody").exited(0).out().lines()).hasSize(1);
        }
    }

    private static String get(HttpClient client, String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString(UTF_8))
                .body();
    }

    /** On loopback no TLS is needed, and is used if there is a key. */
    @Test
    void aKeystore_makesItTls() throws Exception {
        Path keystore = directory.resolve("console.p12");
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "console",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-keystore",
                        keystore.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "hushhush")
                .redirectErrorStream(true)
                .start();
        String said = new String(made.getInputStream().readAllBytes(), UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
        cli.with("INTERLOCK_TLS_PASSWORD", "hushhush");
        Cli.Running console = cli.start(
                "console", "--port", "0", "--host", "localhost", "--tls-keystore", keystore.toString(), "--no-history");
        console.awaitError("read-only");
        String url = Files.readString(console.out()).strip();
        assertThat(url).startsWith("https://localhost:");
        KeyStore trusted = KeyStore.getInstance(keystore.toFile(), "hushhush".toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trustedCertificate(trusted));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);

        HttpResponse<String> entered = HttpClient.newBuilder()
                .sslContext(context)
                .build()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString(UTF_8));

        assertThat(entered.statusCode()).isEqualTo(303);
        assertThat(entered.headers().firstValue("Set-Cookie").orElse("")).endsWith("; Secure");
        console.process().destroy();
        assertThat(console.result().exited(143).err()).doesNotContain("hushhush");
    }

    private static KeyStore trustedCertificate(KeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("console", keys.getCertificate("console"));
        return trusted;
    }

    @Test
    void history_withoutAConsole_saysWhatIsMissing() {
        Cli.Result result = cli.run("history", "job").exited(69);

        assertThat(result.errorLines()).singleElement().asString().contains("there is no history", "--history");
        assertThat(directory.resolve("state")).doesNotExist();
    }

    @Test
    void aPortInUse_isNamed_andNoFileIsMade() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Cli.Result result = cli.run("console", "--port", String.valueOf(socket.getLocalPort()))
                    .exited(69);

            assertThat(result.errorLines())
                    .singleElement()
                    .asString()
                    .contains("cannot listen on", String.valueOf(socket.getLocalPort()), "--port");
            assertThat(result.out()).isEmpty();
            assertThat(directory.resolve("state/interlock/console.db")).doesNotExist();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port 70000                             | --port must be from 0 to 65535: 70000",
                "--history-limit 0                        | --history-limit must be 1 or more",
                "--no-history --history x                 | exclude each other",
                "--store redis://h --store redis://h      | names a store twice",
                "--store nowhere                          | --store must be a URI",
                "--bind 0.0.0.0                           | a password is needed",
                "--bind 0.0.0.0 --insecure                | a password is needed",
                "--bind nowhere.invalid                   | --bind must be an address",
                "--bind 0.0.0.0 --password-file PASSWORD  | TLS is needed (--tls-keystore), or --insecure",
                "--password-file missing                  | --password-file",
                "--tls-keystore PASSWORD                  | --tls-keystore",
                "job                                      | one argument too many",
            })
    void wrongUsage(String line, String expected) throws IOException {
        Path password = Files.writeString(directory.resolve("password"), "hush\n");
        List<String> arguments = new ArrayList<>(List.of(
                "console",
                "--no-history",
                "--store",
                StoreUri.sqlite(directory.resolve("l.db")).value()));
        if (line.contains("--store") || line.contains("--no-history")) {
            arguments.subList(1, arguments.size()).clear();
        }
        arguments.addAll(List.of(line.replace("PASSWORD", password.toString()).split(" ")));

        Cli.Result result = InProcess.run(arguments.toArray(new String[0]));

        assertThat(result.exited(64).errorLines()).singleElement().asString().contains(expected);
        assertThat(result.err()).doesNotContain("hush");
        assertThat(result.out()).isEmpty();
    }
}
