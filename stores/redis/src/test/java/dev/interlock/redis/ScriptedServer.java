package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Answers as a test wants it: what no real server says for long. */
public final class ScriptedServer implements AutoCloseable {

    /** The commands that have come, by their first word. */
    public final List<String> commands = new CopyOnWriteArrayList<>();

    private final ServerSocket listening = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final List<Socket> clients = new CopyOnWriteArrayList<>();
    private final Function<List<String>, String> answers;

    /**
     * @param answers the reply to a command, as it goes over the line but for the end of its last line; empty: none,
     *     and the next command is read
     */
    public ScriptedServer(Function<List<String>, String> answers) throws IOException {
        this.answers = answers;
        start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** The connections from which not everything has been read yet. */
    public int connections() {
        return clients.size();
    }

    /** Says this to all who are connected, unasked. */
    public void push(String message) throws IOException {
        for (Socket client : clients) {
            if (!client.isClosed()) {
                client.getOutputStream().write((message + "\r\n").getBytes(UTF_8));
            }
        }
    }

    /** Breaks all connections. Others may come. */
    public void hangUp() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
    }

    /** What a server says to HELLO. */
    public static String hello(String mode, String role) {
        return "*6\r\n$7\r\nversion\r\n$5\r\n7.0.9\r\n$4\r\nmode\r\n+" + mode + "\r\n$4\r\nrole\r\n+" + role;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                clients.add(client);
                start(() -> serve(client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            for (String head = line(in); !head.isEmpty(); head = line(in)) {
                List<String> words = new ArrayList<>();
                for (int i = Integer.parseInt(head.substring(1)); i > 0; i--) {
                    int length = Integer.parseInt(line(in).substring(1));
                    words.add(new String(in.readNBytes(length), UTF_8));
                    line(in);
                }
                commands.add(words.get(0));
                String answer = answers.apply(words);
                if (!answer.isEmpty()) {
                    out.write((answer + "\r\n").getBytes(UTF_8));
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The client, or the test, is over.
        } finally {
            clients.remove(client);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        hangUp();
    }
}
