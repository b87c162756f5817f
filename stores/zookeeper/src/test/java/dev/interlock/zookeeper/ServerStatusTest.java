package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.support.Finding;
import dev.interlock.support.Finding.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server may answer to the one word that it is asked. */
class ServerStatusTest {

    /** Asks again while a busy machine is too slow to answer. */
    @Test
    void nobodyThere_isUnknown_andTheOthersAreAsked() {
        await().untilAsserted(ServerStatusTest::askNobodyAndOne);
    }

    private static void askNobodyAndOne() throws IOException {
        try (ServerSocket one = answering("Zookeeper version: 3.9.3-abc, built on x\nMode: leader\n")) {
            List<Finding> found = new ServerStatus("127.0.0.1:1,127.0.0.1:" + one.getLocalPort()).findings();

            assertThat(found).extracting(Finding::verdict).containsExactly(Verdict.UNKNOWN, Verdict.GOOD);
            assertThat(found.get(1).state()).startsWith("ZooKeeper 3.9.3, leader");
        }
    }

    @Test
    void anotherAnswer_isUnknown() throws IOException {
        for (String answer :
                List.of("", "srvr is not executed because it is not in the whitelist.", "\u0000\u001b[2J")) {
            try (ServerSocket other = answering(answer)) {
                assertThat(new ServerStatus("127.0.0.1:" + other.getLocalPort()).findings())
                        .extracting(Finding::verdict)
                        .containsExactly(Verdict.UNKNOWN);
            }
        }
    }

    @Test
    void serversThatAreNotKnown_areNotAsked() {
        assertThat(new ServerStatus("").findings()).isEmpty();
    }

    private static ServerSocket answering(String answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                socket.getInputStream().readNBytes(4);
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // The test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }
}
