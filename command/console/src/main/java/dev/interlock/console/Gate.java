package dev.interlock.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.interlock.spi.Log;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are served. In this order: the Host header must name this console, against names of others
 * that lead to its address; the method must be the right one; a POST must come from a page of this console; the cookie
 * must be that of this console; a POST under {@code /api} must have the CSRF header, and be allowed. Thread-safe.
 */
final class Gate implements HttpHandler {

    /** How long an answer that is no stream may take, to a client that does not read. */
    private static final long DEADLINE_SECONDS = 60;

    private static final int MOST_BYTES = 8192;
    private static final int MOST_ATTEMPTS = 5;
    private static final long ATTEMPTS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final Set<String> OPEN_FILES = Set.of("login.html", "console.css");

    /**
     * What the gate knows.
     *
     * @param cookie the name of the cookie
     * @param session its value
     * @param token what the URL must have to get it; not used if there is a password
     * @param csrf the value of the CSRF header
     * @param password what {@code /login} asks for; null for none
     * @param secure whether the console is served by TLS
     * @param allowForce whether holders may be ended and asked
     * @param knowsHost whether a host is a name of this console
     */
    record Secrets(
            String cookie,
            String session,
            String token,
            String csrf,
            @Nullable String password,
            boolean secure,
            boolean allowForce,
            Predicate<String> knowsHost) {}

    private final Secrets secrets;
    private final Api api;
    private final ScheduledExecutorService timer;
    private final Supplier<Long> nanos;

    /** Tokens for one use. */
    private final Set<String> once = ConcurrentHashMap.newKeySet();

    /** Wrong passwords since {@code attemptsSince}. The monitor of this object guards both. */
    private int attempts;

    private long attemptsSince;

    Gate(Secrets secrets, Api api, ScheduledExecutorService timer, Supplier<Long> nanos) {
        this.secrets = secrets;
        this.api = api;
        this.timer = timer;
        this.nanos = nanos;
        this.attemptsSince = nanos.get();
    }

    /** Lets the first who comes with this token in. */
    void admitOnce(String token) {
        once.add(token);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                serve(exchange);
            } catch (Problem e) {
                send(exchange, e.status(), e.json());
            } catch (RuntimeException e) {
                Log.of(Gate.class).log(System.Logger.Level.WARNING, "A request has failed", e);
                send(exchange, 500, new Problem(500, "defect", "The console has a defect: " + e.getClass()).json());
            }
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        Map.of(
                        "Content-Security-Policy", POLICY,
                        "X-Content-Type-Options", "nosniff",
                        "Cache-Control", "no-store",
                        "Referrer-Policy", "no-referrer",
                        "Cross-Origin-Resource-Policy", "same-origin")
                .forEach(exchange.getResponseHeaders()::set);
        checkHost(exchange);
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        Parameters query = new Parameters(exchange.getRequestURI().getRawQuery());
        if (path.equals("/api/events") && method.equals("GET")) {
            checkCookie(exchange);
            api.stream(exchange, query);
            return;
        }
        try (Interruption interruption = new Interruption()) {
            ScheduledFuture<?> deadline = timer.schedule(interruption::now, DEADLINE_SECONDS, TimeUnit.SECONDS);
            try {
                if (method.equals("GET")) {
                    get(exchange, path, query);
                } else if (method.equals("POST")) {
                    post(exchange, path);
                } else {
                    throw notAllowed("GET, POST");
                }
            } finally {
                deadline.cancel(false);
            }
        }
    }

    private static Problem notAllowed(String allowed) {
        return new Problem(405, "method_not_allowed", "This request must be " + allowed + ".");
    }

    private void get(HttpExchange exchange, String path, Parameters query) throws IOException {
        if (path.equals("/") && !query.text("token").isEmpty() && secrets.password() == null) {
            enter(exchange, query.text("token"));
        } else if (path.startsWith("/api/")) {
            checkCookie(exchange);
            String request = path.substring("/api/".length());
            if (request.equals("force") || request.equals("ask")) {
                throw notAllowed("a POST");
            }
            send(
                    exchange,
                    200,
                    request.equals("session")
                            ? api.session(secrets.csrf(), secrets.allowForce())
                            : api.get(request, query));
        } else {
            file(exchange, path);
        }
    }

    private void enter(HttpExchange exchange, String token) throws IOException {
        if (!equal(token, secrets.token()) && !once.remove(token)) {
            throw unauthenticated();
        }
        admit(exchange);
    }

    private void admit(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders()
                .set(
                        "Set-Cookie",
                        secrets.cookie() + "=" + secrets.session() + "; Path=/; HttpOnly; SameSite=Strict"
                                + (secrets.secure() ? "; Secure" : ""));
        redirect(exchange, "/");
    }

    private static void redirect(HttpExchange exchange, String to) throws IOException {
        exchange.getResponseHeaders().set("Location", to);
        exchange.sendResponseHeaders(303, -1);
    }

    private static Problem unauthenticated() {
        return new Problem(401, "unauthenticated", "Open the URL that the console has printed.");
    }

    private void file(HttpExchange exchange, String path) throws IOException {
        String name =
                switch (path) {
                    case "/" -> "index.html";
                    case "/login" -> "login.html";
                    default -> path.substring(1);
                };
        if (!OPEN_FILES.contains(name) && !hasCookie(exchange)) {
            if (secrets.password() != null) {
                redirect(exchange, "/login");
                return;
            }
            if (path.equals("/")) {
                send(
                        exchange,
                        401,
                        "text/plain; charset=utf-8",
                        "Open the URL that the console has printed: it has a token.\n"
                                .getBytes(StandardCharsets.UTF_8));
                return;
            }
            throw unauthenticated();
        }
        byte[] file = PageFiles.read(name);
        if (file == null) {
            throw new Problem(404, "not_found", "There is no such file.");
        }
        send(exchange, 200, PageFiles.type(name), file);
    }

    private void post(HttpExchange exchange, String path) throws IOException {
        boolean login = path.equals("/login");
        if (!login && !path.equals("/api/force") && !path.equals("/api/ask")) {
            throw path.startsWith("/api/")
                    ? notAllowed("a GET")
                    : new Problem(404, "not_found", "There is no such POST.");
        }
        checkOrigin(exchange, login);
        if (login) {
            login(exchange);
            return;
        }
        checkCookie(exchange);
        if (!equal(header(exchange, "X-CSRF-Token"), secrets.csrf())) {
            throw Problem.forbidden("The header X-CSRF-Token is missing or wrong: /api/session tells it.");
        }
        if (!secrets.allowForce()) {
            throw Problem.forbidden("This console is read-only: start it with --allow-force.");
        }
        Parameters parameters = body(exchange);
        String by = exchange.getRemoteAddress().getAddress().getHostAddress();
        send(exchange, 200, path.equals("/api/force") ? api.force(parameters, by) : api.ask(parameters, by));
    }

    private void login(HttpExchange exchange) throws IOException {
        String password = secrets.password();
        if (password == null) {
            throw new Problem(404, "not_found", "This console has no password.");
        }
        String given = body(exchange).text("password");
        synchronized (this) {
            long now = nanos.get();
            if (now - attemptsSince > ATTEMPTS_NANOS) {
                attempts = 0;
                attemptsSince = now;
            }
            if (attempts >= MOST_ATTEMPTS) {
                throw new Problem(429, "too_many_attempts", "There were too many wrong passwords: wait a minute.");
            }
            if (!equal(given, password)) {
                attempts++;
            } else {
                attempts = 0;
            }
        }
        if (equal(given, password)) {
            admit(exchange);
        } else {
            // The fragment lets a page without a script show why.
            redirect(exchange, "/login?wrong#wrong");
        }
    }

    private Parameters body(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new Problem(413, "too_large", "The body has more than " + MOST_BYTES + " bytes.");
        }
        if (!header(exchange, "Content-Type").startsWith("application/x-www-form-urlencoded")) {
            throw Problem.badRequest("The body must be application/x-www-form-urlencoded.");
        }
        return new Parameters(new String(bytes, StandardCharsets.UTF_8));
    }

    private void checkHost(HttpExchange exchange) {
        if (!secrets.knowsHost().test(host(header(exchange, "Host")))) {
            throw Problem.forbidden("The Host header does not name this console; --host allows another name.");
        }
    }

    /** Without the port. */
    private static String host(String header) {
        int colon = header.lastIndexOf(':');
        String host = colon > header.lastIndexOf(']') ? header.substring(0, colon) : header;
        return host.toLowerCase(Locale.ROOT);
    }

    /** A browser sends {@code null} with a form of a page that tells no referrer; the password protects that. */
    private void checkOrigin(HttpExchange exchange, boolean login) {
        String origin = header(exchange, "Origin");
        if (login && (origin.isEmpty() || origin.equals("null"))) {
            return;
        }
        String own = (secrets.secure() ? "https://" : "http://") + header(exchange, "Host");
        if (!origin.equalsIgnoreCase(own)) {
            throw Problem.forbidden("The Origin header does not name this console.");
        }
    }

    private void checkCookie(HttpExchange exchange) {
        if (!hasCookie(exchange)) {
            throw unauthenticated();
        }
    }

    private boolean hasCookie(HttpExchange exchange) {
        List<String> headers = exchange.getRequestHeaders().getOrDefault("Cookie", List.of());
        for (String header : headers) {
            for (String cookie : header.split(";", -1)) {
                String text = cookie.strip();
                if (text.startsWith(secrets.cookie() + "=")
                        && equal(text.substring(secrets.cookie().length() + 1), secrets.session())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    /** Takes as long wherever they differ. */
    private static boolean equal(String given, String secret) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, Map<String, Object> json) throws IOException {
        send(exchange, status, "application/json; charset=utf-8", Json.of(json).getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
