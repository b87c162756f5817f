package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.interlock.console.Browser.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in, and what they may do. */
final class SecurityTest {

    private static final Map<String, String> FORCE =
            Map.of("store", "s1", "name", "job", "kind", "lock", "owner", "o", "token", "1", "reason", "because");

    @TempDir
    private Path directory = Path.of(".");

    private Console console;

    @BeforeEach
    void start() throws IOException {
        console = consoles().allowForce().start();
    }

    private Consoles consoles() {
        return new Consoles().store("sqlite:" + directory.resolve("locks.db"), "sqlite:locks.db");
    }

    @AfterEach
    void close() {
        console.close();
    }

    @Test
    void tokenOfTheUrl_givesACookie_thatOtherSitesDoNotGet() {
        Browser stranger = new Browser(console.port());
        Reply reply = stranger.get(console.url().replaceFirst("http://[^/]*", ""));

        assertThat(reply.status()).isEqualTo(303);
        assertThat(reply.header("Location")).isEqualTo("/");
        assertThat(reply.header("Set-Cookie"))
                .startsWith("interlock-console-" + console.port() + "=")
                .contains("; HttpOnly", "; SameSite=Strict")
                .doesNotContain("Secure");
        assertThat(console.url()).matches("http://127\\.0\\.0\\.1:\\d+/\\?token=[0-9a-f]{32}");
    }

    @Test
    void withoutTheCookie_nothingIsServed() {
        Browser stranger = new Browser(console.port());

        for (String path : List.of(
                "/api/session",
                "/api/overview",
                "/api/tree?store=s1",
                "/api/names",
                "/api/locks",
                "/api/lock?store=s1&name=x",
                "/api/waits",
                "/api/history",
                "/api/events",
                "/api/nothing",
                "/test-file.js",
                "/nothing.js",
                "/?token=",
                "/?token=0123456789abcdef0123456789abcdef",
                "/")) {
            assertThat(stranger.get(path).status()).as(path).isEqualTo(401);
        }
        String cookie = "interlock-console-" + console.port() + "=";
        assertThat(stranger.with("Cookie", cookie + "0".repeat(32))
                        .get("/api/session")
                        .status())
                .isEqualTo(401);
        assertThat(stranger.with("Cookie", cookie).get("/api/session").status()).isEqualTo(401);
        Browser known = Browser.of(console);
        assertThat(known.get("/api/session").status()).isEqualTo(200);
        assertThat(known.with("Cookie", null).post("/api/force", FORCE).status())
                .isEqualTo(401);
    }

    @Test
    void aTokenForOnce_letsTheFirstIn() {
        String path = console.urlForOnce().replaceFirst("http://[^/]*", "");
        Browser stranger = new Browser(console.port());

        assertThat(stranger.get(path).status()).isEqualTo(303);
        assertThat(stranger.get(path).status()).isEqualTo(401);
    }

    /** A name of somebody else that leads to this address would make the console a page of theirs. */
    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:8420", "127.0.0.1.evil.example", "localhost.evil", "", "192.0.2.1"
            })
    void anotherHost_isRefused(String host) {
        Reply reply = Browser.of(console).with("Host", host).get("/api/session");

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.code()).isEqualTo("forbidden");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1", "[::1]", "[::1]:8420"})
    void itsOwnHosts_areServed(String host) {
        assertThat(Browser.of(console).with("Host", host).get("/api/session").status())
                .isEqualTo(200);
    }

    /** The requests that change something, as docs/internals/console-api.md lists them. */
    private static List<String> changes() throws IOException {
        Path page = Path.of(System.getProperty("interlock.target")).resolve("../../../docs/internals/console-api.md");
        List<String> paths = Pattern.compile("(?m)^\\| `POST (/api/\\w+)`")
                .matcher(Files.readString(page))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(paths).contains("/api/force", "/api/ask");
        return paths;
    }

    @Test
    void eachChange_needsCookieOriginAndCsrfHeader() throws IOException {
        Browser browser = Browser.of(console);

        for (String path : changes()) {
            // This store cannot ask.
            assertThat(browser.post(path, FORCE).code()).as(path).isIn("holder_changed", "not_supported");
            for (String origin : new String[] {
                null, "null", "http://evil.example", "https://127.0.0.1:" + console.port(), "http://127.0.0.1"
            }) {
                assertForbidden(browser.with("Origin", origin), path, "Origin");
            }
            for (String csrf : new String[] {null, "", "0".repeat(32)}) {
                assertForbidden(browser.with("X-CSRF-Token", csrf), path, "X-CSRF-Token");
            }
            for (String cookie : new String[] {null, "", "another=" + "0".repeat(32)}) {
                assertThat(browser.with("Cookie", cookie).post(path, FORCE).status())
                        .as(path + ", Cookie " + cookie)
                        .isEqualTo(401);
            }
        }
    }

    private static void assertForbidden(Browser browser, String path, String header) {
        Reply reply = browser.post(path, FORCE);
        assertThat(reply.status())
                .as(path + ", " + header + " " + browser.header(header))
                .isEqualTo(403);
        assertThat(reply.body()).contains(header);
    }

    @Test
    void methods_areKeptApart() {
        Browser browser = Browser.of(console);

        assertThat(browser.get("/api/force").code()).isEqualTo("method_not_allowed");
        assertThat(browser.get("/api/ask").code()).isEqualTo("method_not_allowed");
        assertThat(browser.post("/api/session", Map.of()).code()).isEqualTo("method_not_allowed");
        assertThat(browser.post("/api/events", Map.of()).code()).isEqualTo("method_not_allowed");
        assertThat(browser.send("PUT", "/api/session", "").status()).isEqualTo(405);
        assertThat(browser.send("DELETE", "/api/force", "").status()).isEqualTo(405);
    }

    @Test
    void aConsoleWithoutAllowForce_isReadOnly() throws IOException {
        try (Console readOnly = consoles().start()) {
            Browser browser = Browser.of(readOnly);
            for (String path : changes()) {
                Reply reply = browser.post(path, FORCE);
                assertThat(reply.status()).isEqualTo(403);
                assertThat(reply.body()).contains("--allow-force");
            }
        }
    }

    @Test
    void aForm_isBounded_andOfOneType() {
        Browser browser = Browser.of(console);
        Map<String, String> large = new TreeMap<>(FORCE);
        large.put("reason", "x".repeat(9000));

        assertThat(browser.post("/api/force", large).code()).isEqualTo("too_large");
        large.put("reason", "x".repeat(501));
        assertThat(browser.post("/api/force", large).body()).contains("1 to 500");
        large.put("reason", "  ");
        assertThat(browser.post("/api/force", large).status()).isEqualTo(400);
        assertThat(browser.with("Content-Type", "text/plain")
                        .post("/api/force", FORCE)
                        .status())
                .isEqualTo(400);
    }

    @Test
    void everyAnswer_hasTheHeadersThatProtectIt() {
        Browser browser = Browser.of(console);

        for (Reply reply : List.of(
                browser.get("/api/session"),
                browser.get("/test-file.js"),
                browser.get("/nothing.js"),
                browser.with("Cookie", null).get("/"),
                browser.with("Host", "evil.example").get("/"))) {
            assertThat(reply.header("Content-Security-Policy"))
                    .isEqualTo("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                            + "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
            assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
            assertThat(reply.header("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(reply.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        }
        assertThat(browser.get("/test-file.js").header("Content-Type")).startsWith("text/javascript");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../Console.class",
                "/..%2fConsole.class",
                "/%2e%2e/Console.class",
                "/page/test-file.js",
                "//etc/passwd",
                "/Test-file.js",
                "/test-file.js/",
                "/.html"
            })
    void noPath_leadsOutOfThePage(String path) {
        assertThat(Browser.of(console).get(path).status()).isEqualTo(404);
    }

    @Test
    void aPassword_isAskedFor_andNotTooOften() throws IOException {
        try (Console withPassword = consoles().password("open sesame").start()) {
            assertThat(withPassword.url()).doesNotContain("token");
            Browser stranger = new Browser(withPassword.port());
            assertThat(stranger.get("/").header("Location")).isEqualTo("/login");
            assertThat(stranger.get("/?token=anything").header("Location")).isEqualTo("/login");
            assertThat(stranger.get("/api/session").status()).isEqualTo(401);

            assertThat(stranger.with("Origin", "http://evil.example")
                            .post("/login", Map.of("password", "open sesame"))
                            .status())
                    .isEqualTo(403);
            Reply right = stranger.post("/login", Map.of("password", "open sesame"));
            assertThat(right.header("Location")).isEqualTo("/");
            String cookie = right.header("Set-Cookie");
            assertThat(stranger.with("Cookie", cookie.substring(0, cookie.indexOf(';')))
                            .get("/api/session")
                            .status())
                    .isEqualTo(200);
            for (int i = 0; i < 5; i++) {
                Reply wrong = stranger.post("/login", Map.of("password", "guess"));
                assertThat(wrong.header("Location")).startsWith("/login?wrong");
                assertThat(wrong.header("Set-Cookie")).isEmpty();
            }
            assertThat(stranger.post("/login", Map.of("password", "open sesame"))
                            .code())
                    .isEqualTo("too_many_attempts");
        }
    }

    @Test
    void afterTooManyWrongPasswords_aMinuteHasToPass() throws IOException {
        AtomicLong now = new AtomicLong();
        try (Alone gate = new Alone("open sesame", false, now::get)) {
            Browser stranger = gate.stranger();
            for (int i = 0; i < 5; i++) {
                stranger.post("/login", Map.of("password", "guess"));
            }
            now.addAndGet(TimeUnit.MINUTES.toNanos(1));
            assertThat(stranger.post("/login", Map.of("password", "open sesame"))
                            .code())
                    .isEqualTo("too_many_attempts");

            now.incrementAndGet();
            assertThat(stranger.post("/login", Map.of("password", "open sesame"))
                            .header("Location"))
                    .isEqualTo("/");
        }
    }

    /** Each minute is like the first. */
    @Test
    void wrongPasswords_areBounded_inEachMinute() throws IOException {
        AtomicLong now = new AtomicLong();
        try (Alone gate = new Alone("open sesame", false, now::get)) {
            Browser stranger = gate.stranger();
            for (int minute = 0; minute < 3; minute++) {
                for (int i = 0; i < 5; i++) {
                    assertThat(stranger.post("/login", Map.of("password", "guess"))
                                    .header("Location"))
                            .startsWith("/login?wrong");
                }
                assertThat(stranger.post("/login", Map.of("password", "guess")).code())
                        .as("minute " + minute)
                        .isEqualTo("too_many_attempts");
                now.addAndGet(TimeUnit.MINUTES.toNanos(1) + 1);
            }
        }
    }

    @Test
    void withTls_theCookieIsForTlsAlone_andAPageWithoutItMayNotPost() throws IOException {
        try (Alone gate = new Alone("open sesame", true, () -> 0L)) {
            Browser stranger = gate.stranger();
            String host = stranger.header("Host");

            assertThat(stranger.with("Origin", "https://" + host)
                            .post("/login", Map.of("password", "open sesame"))
                            .header("Set-Cookie"))
                    .isEqualTo("cookie=session; Path=/; HttpOnly; SameSite=Strict; Secure");
            Reply reply = stranger.with("Origin", "http://" + host).post("/login", Map.of("password", "open sesame"));
            assertThat(reply.status()).isEqualTo(403);
            assertThat(reply.header("Set-Cookie")).isEmpty();
        }
    }

    /** A gate without a store, and with a clock of the test's own. TLS is what the gate believes, and not there. */
    private static final class Alone implements AutoCloseable {

        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        private final History history = History.open(null, 10);
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

        Alone(String password, boolean tls, Supplier<Long> nanos) throws IOException {
            InstantSource clock = InstantSource.system();
            Api api = new Api(
                    List.of(), history, new Events(Duration.ofHours(1)), new Actions(history, clock), clock, "test");
            Gate.Secrets secrets =
                    new Gate.Secrets("cookie", "session", "token", "csrf", password, tls, false, host -> true);
            server.createContext("/", new Gate(secrets, api, timer, nanos));
            server.start();
        }

        Browser stranger() {
            return new Browser(server.getAddress().getPort());
        }

        @Override
        public void close() {
            server.stop(0);
            timer.shutdownNow();
            history.close();
        }
    }

    /** An absent password must not be one that somebody can give. */
    @Test
    void aConsoleWithoutAPassword_hasNoLogin() {
        Browser stranger = new Browser(console.port());

        for (String password : List.of("", "null")) {
            Reply reply = stranger.post("/login", Map.of("password", password));
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.header("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void others_needTlsAndAPassword() throws IOException {
        InetAddress any = InetAddress.getByName("0.0.0.0");

        assertThatThrownBy(() -> consoles().address(any, false).config()).hasMessageContaining("password");
        assertThatThrownBy(
                        () -> consoles().address(any, false).password("secret").config())
                .hasMessageContaining("--tls-keystore")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> consoles().address(any, true).config()).hasMessageContaining("password");
        assertThatThrownBy(() -> consoles().password("").config()).hasMessageContaining("empty");
        try (Console open = consoles()
                .address(any, true)
                .password("secret")
                .hosts("Console.example")
                .start()) {
            Browser browser = new Browser(open.port());
            assertThat(browser.with("Host", "192.0.2.1:1").get("/login?x").status())
                    .isNotEqualTo(403);
            assertThat(browser.with("Host", "console.example").get("/").status())
                    .isEqualTo(303);
            assertThat(browser.with("Host", "evil.example").get("/").status()).isEqualTo(403);
            assertThat(open.url()).isEqualTo("http://Console.example:" + open.port() + "/");
        }
    }
}
