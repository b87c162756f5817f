package dev.interlock.bench;

import dev.interlock.testkit.server.Tap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * Counts the statements that PostgreSQL's clients send, including those that begin and end transactions, and how often
 * they wait for answers. Thread-safe.
 */
final class SqlStatements implements Tap {

    private final LongAdder statements = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();

    @Override
    public UnaryOperator<byte[]> connected() {
        Messages messages = new Messages();
        return chunk -> {
            messages.read(chunk);
            return chunk;
        };
    }

    /** How many statements, up to now. */
    long statements() {
        return statements.sum();
    }

    /** How many round trips, up to now. */
    long roundTrips() {
        return roundTrips.sum();
    }

    /**
     * The messages of one connection: a letter, a length of four bytes that counts itself, and the rest. Those before
     * the connection is open have no letter, and a number behind the length that says what they are. To be used by one
     * thread at a time.
     */
    private final class Messages {
        private static final int LENGTH_BYTES = 4;
        private static final int HEAD_BYTES = 1 + LENGTH_BYTES;
        private static final int FIRST_BYTES = 2 * LENGTH_BYTES;

        /** The upper half of the number of a message that opens a connection; others only ask how. */
        private static final int OPENS = 3;

        private final byte[] head = new byte[FIRST_BYTES];
        private int read;
        private int rest;
        private boolean open;

        void read(byte[] chunk) {
            int at = 0;
            while (at < chunk.length) {
                if (rest > 0) {
                    int skipped = Math.min(rest, chunk.length - at);
                    rest -= skipped;
                    at += skipped;
                } else {
                    head[read++] = chunk[at++];
                    if (read == (open ? HEAD_BYTES : FIRST_BYTES)) {
                        read = 0;
                        begin();
                    }
                }
            }
        }

        private void begin() {
            if (open) {
                rest = number(1) - LENGTH_BYTES;
                count((char) head[0]);
            } else {
                rest = number(0) - FIRST_BYTES;
                open = number(LENGTH_BYTES) >>> 16 == OPENS;
            }
        }

        private void count(char letter) {
            switch (letter) {
                case 'Q' -> {
                    statements.increment();
                    roundTrips.increment();
                }
                case 'E' -> statements.increment();
                case 'S' -> roundTrips.increment();
                default -> {
                    // Prepares or ends something.
                }
            }
        }

        private int number(int from) {
            return (head[from] & 0xff) << 24
                    | (head[from + 1] & 0xff) << 16
                    | (head[from + 2] & 0xff) << 8
                    | (head[from + 3] & 0xff);
        }
    }
}
