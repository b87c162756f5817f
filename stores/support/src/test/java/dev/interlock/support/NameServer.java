package dev.interlock.support;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A name server on loopback that knows the addresses that it is told, for no time at all. */
final class NameServer implements AutoCloseable {

    private static final int HEADER = 12;
    private static final int A = 1;
    private static final int AAAA = 28;
    private static final int UNKNOWN = 3;

    private final DatagramSocket socket;
    private final Map<String, List<String>> known = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    NameServer() throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "name-server");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    void knows(String name, String... addresses) {
        known.put(name, List.of(addresses));
    }

    /** The names that were asked for, in order. */
    List<String> asked() {
        return asked;
    }

    private void serve() {
        byte[] bytes = new byte[512];
        while (!socket.isClosed()) {
            try {
                DatagramPacket query = new DatagramPacket(bytes, bytes.length);
                socket.receive(query);
                byte[] answer = answer(ByteBuffer.wrap(bytes, 0, query.getLength()));
                socket.send(new DatagramPacket(answer, answer.length, query.getSocketAddress()));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private byte[] answer(ByteBuffer query) throws IOException {
        short id = query.getShort(0);
        query.position(HEADER);
        StringBuilder name = new StringBuilder();
        for (int length = query.get(); length > 0; length = query.get()) {
            byte[] label = new byte[length];
            query.get(label);
            name.append(name.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
        }
        int kind = query.getShort();
        byte[] question = new byte[query.position() + 2 - HEADER];
        query.get(HEADER, question);
        asked.add(name.toString());

        List<byte[]> found = new CopyOnWriteArrayList<>();
        for (String text : known.getOrDefault(name.toString(), List.of())) {
            byte[] address = InetAddress.getByName(text).getAddress();
            if ((kind == A && address.length == 4) || (kind == AAAA && address.length == 16)) {
                found.add(address);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream answer = new DataOutputStream(bytes);
        answer.writeShort(id);
        // An answer, recursive, without error or with an unknown name.
        answer.writeShort(0x8180 | (known.containsKey(name.toString()) ? 0 : UNKNOWN));
        answer.writeShort(1);
        answer.writeShort(found.size());
        answer.writeInt(0);
        answer.write(question);
        for (byte[] address : found) {
            // The name of the question, a class, and how long it may be kept.
            answer.writeShort(0xc000 | HEADER);
            answer.writeShort(kind);
            answer.writeShort(1);
            answer.writeInt(0);
            answer.writeShort(address.length);
            answer.write(address);
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
