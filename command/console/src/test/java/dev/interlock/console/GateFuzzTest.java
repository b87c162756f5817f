package dev.interlock.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fuzz.Fuzz;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Requests as somebody may write them onto a socket, by those who know the cookie and by those who do not. */
class GateFuzzTest {

    private static final String NAME = "n4me-0f-a-l0ck";
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}).*", Pattern.DOTALL);
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d{1,8})\r\n");
    private static final int MOST_BYTES = 100_000;

    @Test
    void requests() throws Exception {
        MemoryStore memory = new MemoryStore();
        Interlock client = Interlock.builder(memory).build();
        try (Interlock holder = Interlock.builder(memory.session()).build();
                Lease lease = holder.lock(NAME).acquire();
                Console console = new Consoles()
                        .client("memory", client, true)
                        .allowForce()
                        .start()) {
            Browser browser = Browser.of(console);
            String cookie = browser.header("Cookie");
            String csrf = browser.header("X-CSRF-Token");
            Fuzz.of(
                            "console request",
                            request("GET /api/names?q=a&state=held&kind=lock&sort=name&offset=0&limit=10", ""),
                            request("GET /api/tree?store=s1&prefix=a%2F&offset=0&limit=7", ""),
                            request("GET /api/lock?store=s1&name=" + NAME, ""),
                            request("GET /api/history?since=2026-11-25T22:00:00Z&limit=3&name=x", ""),
                            request("GET /console.js", ""),
                            request("POST /api/force", "store=s1&name=a&kind=lock&owner=o&token=1&reason=because"))
                    .words(
                            "GET ",
                            "POST ",
                            "HEAD ",
                            "/api/",
                            "/api/events",
                            "/api/session",
                            "/login",
                            "?token=",
                            "Host: ",
                            "\n",
                            "COOKIE",
                            "CSRF",
                            "%00",
                            "&limit=",
                            "+1000000000-12-31T23:59:59Z",
                            "..%2f")
                    .regressions(request("GET /api/history?since=%2B1000000000-12-31T23:59:59.999999999Z", ""))
                    .inputs(250)
                    .longest(20_000)
                    .run(input -> accepts(console, cookie, csrf, input));
            assertThat(lease.isValid()).isTrue();
        }
    }

    private static String request(String line, String body) {
        return line + " HTTP/1.1\nHost: ADDRESS\nOrigin: http://ADDRESS\nCookie: COOKIE\nX-CSRF-Token: CSRF\n"
                + "Content-Type: application/x-www-form-urlencoded\nContent-Length: " + body.length() + "\n\n" + body;
    }

    /** Whether the answer is no refusal of the server itself. */
    private static boolean accepts(Console console, String cookie, String csrf, String input) throws IOException {
        String reply = reply(
                console,
                input.replace("\n", "\r\n")
                        .replace("ADDRESS", "127.0.0.1:" + console.port())
                        .replace("COOKIE", cookie)
                        .replace("CSRF", csrf));
        Matcher status = STATUS.matcher(reply);
        boolean answered = status.matches();
        if (answered) {
            assertThat(Integer.parseInt(status.group(1))).as(reply).isLessThan(500);
        }
        if (!input.contains("COOKIE")) {
            assertThat(reply).doesNotContain(NAME, csrf, cookie.substring(cookie.indexOf('=') + 1));
        }
        return answered;
    }

    /** The head of an answer, and its body if it says how long that is; empty if there is none. */
    private static String reply(Console console, String request) throws IOException {
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.port())) {
            socket.setSoTimeout((int) Patience.limit().toMillis());
            socket.getOutputStream().write(request.getBytes(UTF_8));
            socket.shutdownOutput();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            int next = in.read();
            while (next >= 0 && reply.size() < MOST_BYTES) {
                reply.write(next);
                next = next == '\n' && reply.toString(ISO_8859_1).endsWith("\r\n\r\n") ? -1 : in.read();
            }
            Matcher length = LENGTH.matcher(reply.toString(ISO_8859_1));
            reply.write(in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0));
        } catch (SocketException e) {
            // The server has closed the connection before it has read all of a bad request.
        }
        return reply.toString(ISO_8859_1);
    }
}
