package dev.interlock.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Receives every command that a server runs. */
final class Monitor implements AutoCloseable {

    private static final int STEP_MILLIS = 50;

    private final Socket socket;
    private final BufferedReader in;

    /** Returns when the server sends every command from now on. */
    Monitor(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
            in.readLine();
            socket.setSoTimeout(STEP_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives each line to the consumer, until told to end and nothing more comes. */
    void listen(Consumer<String> lines, BooleanSupplier end) {
        try {
            String line = next();
            while (!end.getAsBoolean() || !line.isEmpty()) {
                lines.accept(line);
                line = next();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next line; empty if none has come for a while. */
    private String next() throws IOException {
        try {
            String line = in.readLine();
            if (line == null) {
                throw new IOException("the server closed the connection");
            }
            return line;
        } catch (SocketTimeoutException e) {
            return "";
        }
    }
}
