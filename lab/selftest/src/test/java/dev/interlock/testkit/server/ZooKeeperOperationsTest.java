package dev.interlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ZooKeeperOperationsTest {

    private static final int CREATE2 = 15;
    private static final int GET_CHILDREN2 = 12;
    private static final int PING = 11;
    private static final byte[] REQUESTS = frames(
            frame(28, 0, 0), frame(40, 1, CREATE2), frame(8, -2, PING), frame(19, 2, GET_CHILDREN2), frame(8, 3, 77));

    private final ZooKeeperOperations operations = new ZooKeeperOperations();

    @Test
    void countsWhatFollowsTheOpeningOfASession() {
        UnaryOperator<byte[]> connection = operations.connected();
        send(connection, REQUESTS);
        assertCounted();
        operations.reset();
        assertThat(operations.total()).isZero();
        assertThat(operations).hasToString("{}");
    }

    @Test
    void isNotConfusedByTheSizeOfChunks() {
        for (int size = 1; size < 20; size++) {
            operations.reset();
            UnaryOperator<byte[]> connection = operations.connected();
            for (int from = 0; from < REQUESTS.length; from += size) {
                send(connection, Arrays.copyOfRange(REQUESTS, from, Math.min(REQUESTS.length, from + size)));
            }
            assertCounted();
        }
    }

    @Test
    void eachConnectionBeginsWithItsSession() {
        send(operations.connected(), frame(28, 0, 1));
        send(operations.connected(), frame(28, 0, 1));
        assertThat(operations.total()).isZero();
    }

    private static void send(UnaryOperator<byte[]> connection, byte[] chunk) {
        assertThat(connection.apply(chunk)).as("what is passed on").isSameAs(chunk);
    }

    private void assertCounted() {
        assertThat(operations.count("create2")).isEqualTo(1);
        assertThat(operations.listings()).isEqualTo(1);
        assertThat(operations.writes()).isEqualTo(1);
        assertThat(operations.count("ping")).isEqualTo(1);
        assertThat(operations.total()).as("without the ping").isEqualTo(3);
        assertThat(operations).hasToString("{create2=1, getChildren2=1, kind 77=1, ping=1}");
    }

    private static byte[] frame(int length, int number, int kind) {
        return ByteBuffer.allocate(Integer.BYTES + length)
                .putInt(length)
                .putInt(number)
                .putInt(kind)
                .array();
    }

    private static byte[] frames(byte[]... frames) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(frames).mapToInt(frame -> frame.length).sum());
        Arrays.stream(frames).forEach(all::put);
        return all.array();
    }
}
