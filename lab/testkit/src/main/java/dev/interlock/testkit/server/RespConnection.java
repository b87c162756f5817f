package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection that sends a command and reads its reply as text: enough to look into a server without a client
 * library.
 */
final class RespConnection implements AutoCloseable {

    /** Only guards against hanging. */
    private static final int TIMEOUT_MILLIS = Math.toIntExact(Patience.FULL.toMillis());

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RespConnection(int port) throws IOException {
        this(port, TIMEOUT_MILLIS);
    }

    /** @param timeoutMillis how long to wait for each reply */
    RespConnection(int port, int timeoutMillis) throws IOException {
        socket = new Socket();
        socket.setSoTimeout(timeoutMillis);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream());
    }

    /**
     * The elements of the reply, nested ones in line; a single value is one element, nil is no element.
     *
     * @throws IllegalStateException if the server answers with an error; the message is the server's
     */
    List<String> command(String... words) throws IOException {
        write(words);
        List<String> elements = new ArrayList<>();
        read(elements);
        return elements;
    }

    private void write(String... words) throws IOException {
        out.write(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.write('\r');
            out.write('\n');
        }
        out.flush();
    }

    private void read(List<String> elements) throws IOException {
        String line = line();
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '+', ':' -> elements.add(rest);
            case '-' -> throw new IllegalStateException(rest);
            case '$' -> bulk(Integer.parseInt(rest), elements);
            case '*' -> {
                int count = Integer.parseInt(rest);
                for (int i = 0; i < count; i++) {
                    read(elements);
                }
            }
            default -> throw new IOException("Not a reply: " + line);
        }
    }

    private void bulk(int length, List<String> elements) throws IOException {
        if (length < 0) {
            return;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The server closed the connection within a reply");
        }
        in.skipNBytes(2);
        elements.add(new String(bytes, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The server closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
