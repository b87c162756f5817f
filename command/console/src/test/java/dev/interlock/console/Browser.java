package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sends requests to a console as a browser would, or as none would: it sets every header itself. */
final class Browser {

    private final int port;
    private final Map<String, String> headers = new LinkedHashMap<>();

    Browser(int port) {
        this.port = port;
        headers.put("Host", "127.0.0.1:" + port);
    }

    /** One that has come by the URL of the console, and knows its CSRF token. */
    static Browser of(Console console) {
        Browser browser = new Browser(console.port());
        String url = console.url();
        Reply entered = browser.get(url.substring(url.indexOf("/?")));
        assertThat(entered.status()).isEqualTo(303);
        String cookie = entered.header("Set-Cookie");
        browser.headers.put("Cookie", cookie.substring(0, cookie.indexOf(';')));
        browser.headers.put(
                "X-CSRF-Token", String.valueOf(browser.json("/api/session").get("csrf")));
        browser.headers.put("Origin", "http://127.0.0.1:" + console.port());
        return browser;
    }

    /** The value of a header that it sends; empty if it does not send it. */
    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** The same with another value of a header; null for none. */
    Browser with(String header, @Nullable String value) {
        Browser other = new Browser(port);
        other.headers.clear();
        other.headers.putAll(headers);
        if (value == null) {
            other.headers.remove(header);
        } else {
            other.headers.put(header, value);
        }
        return other;
    }

    /** An answer. */
    record Reply(int status, List<String> headers, String body) {

        String header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> json() {
            return (Map<String, Object>) JsonReader.read(body);
        }

        /** The code of an error. */
        @SuppressWarnings("unchecked")
        String code() {
            return String.valueOf(((Map<String, Object>) json().getOrDefault("error", Map.of())).get("code"));
        }
    }

    Reply get(String path) {
        return send("GET", path, "");
    }

    /** The answer to a GET that succeeds. */
    Map<String, Object> json(String path) {
        Reply reply = get(path);
        assertThat(reply.status()).as(path + ": " + reply.body()).isEqualTo(200);
        return reply.json();
    }

    /** The answer, when it has become so. */
    Map<String, Object> await(String path, Predicate<Map<String, Object>> condition) throws InterruptedException {
        long end = System.nanoTime() + Patience.limit().toNanos();
        while (true) {
            Map<String, Object> json = json(path);
            if (condition.test(json)) {
                return json;
            }
            assertThat(System.nanoTime() - end).as(path + " stays: " + json).isNegative();
            Thread.sleep(10);
        }
    }

    Reply post(String path, Map<String, String> parameters) {
        return send("POST", path, form(parameters));
    }

    static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    Reply send(String method, String path, String body) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) Patience.limit().toMillis());
            write(socket, method, path, body);
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = answer.indexOf("\r\n\r\n");
            List<String> head = answer.substring(0, end).lines().toList();
            return new Reply(
                    Integer.parseInt(head.get(0).substring(9, 12)),
                    head.subList(1, head.size()),
                    answer.substring(end + 4));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(Socket socket, String method, String path, String body) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        headers.forEach((name, value) -> request.append(name + ": " + value + "\r\n"));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (method.equals("POST")) {
            if (!headers.containsKey("Content-Type")) {
                request.append("Content-Type: application/x-www-form-urlencoded\r\n");
            }
            request.append("Content-Length: " + bytes.length + "\r\n");
        }
        request.append("Connection: close\r\n\r\n");
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** A stream of events that nobody reads yet. */
    Socket connect(String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        write(socket, "GET", path, "");
        return socket;
    }

    /** An event that has come. */
    record Event(String name, Map<String, Object> data, int bytes) {}

    /** A stream of events, read as they come. */
    Stream stream(String path) throws IOException {
        return new Stream(connect(path));
    }

    static final class Stream implements AutoCloseable {

        /** The name of the only event of a stream that is refused. */
        static final String REFUSED = "refused";

        private final Socket socket;
        private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

        private Stream(Socket socket) {
            this.socket = socket;
            Thread reader = new Thread(this::read, "events");
            reader.setDaemon(true);
            reader.start();
        }

        @SuppressWarnings("unchecked")
        private void read() {
            try (InputStream in = socket.getInputStream()) {
                String status = line(in);
                while (!line(in).isEmpty()) {
                    // The head of the answer.
                }
                if (!status.contains(" 200 ")) {
                    events.add(new Event(REFUSED, Map.of(), status.length()));
                    return;
                }
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(new Chunks(in), StandardCharsets.UTF_8));
                String name = "";
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("event: ")) {
                        name = line.substring(7);
                    } else if (line.startsWith("data: ")) {
                        Map<String, Object> data = (Map<String, Object>) JsonReader.read(line.substring(6));
                        events.add(new Event(name, data, line.length()));
                    } else if (line.startsWith(":")) {
                        events.add(new Event("beat", Map.of(), line.length()));
                    }
                }
            } catch (IOException e) {
                // Closed.
            }
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n' && c >= 0; c = in.read()) {
                line.append((char) c);
            }
            return line.toString().strip();
        }

        /** The content of an answer in chunks. */
        private static final class Chunks extends InputStream {

            private final InputStream in;
            private int left;

            Chunks(InputStream in) {
                this.in = in;
            }

            @Override
            public int read() throws IOException {
                if (left == 0) {
                    left = Integer.parseInt("0" + line(in), 16);
                    if (left == 0) {
                        return -1;
                    }
                }
                int next = in.read();
                left--;
                if (left == 0) {
                    line(in);
                }
                return next;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int next = read();
                if (next < 0) {
                    return -1;
                }
                bytes[offset] = (byte) next;
                return 1;
            }
        }

        /** The next event. */
        Event next() throws InterruptedException {
            Event event = events.poll(Patience.seconds(), TimeUnit.SECONDS);
            assertThat(event).as("an event").isNotNull();
            return Objects.requireNonNull(event);
        }

        /** The next that is so, and those before it. */
        List<Event> until(Predicate<Event> wanted) throws InterruptedException {
            List<Event> passed = new ArrayList<>();
            do {
                passed.add(next());
            } while (!wanted.test(passed.get(passed.size() - 1)));
            return passed;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
