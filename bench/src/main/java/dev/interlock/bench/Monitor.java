package dev.interlock.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Listens to every command that a server runs. */
final class Monitor {

    private static final int STEP_MILLIS = 50;

    private Monitor() {}

    /** Gives each line of MONITOR in this time to the consumer. */
    static void listen(int port, Duration time, Consumer<String> lines) {
        long endNanos = System.nanoTime() + time.toNanos();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(STEP_MILLIS);
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            while (System.nanoTime() - endNanos < 0) {
                String line = next(in);
                if (line == null) {
                    throw new IOException("the server closed the connection");
                }
                lines.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable String next(BufferedReader in) throws IOException {
        try {
            return in.readLine();
        } catch (SocketTimeoutException e) {
            return "";
        }
    }
}
