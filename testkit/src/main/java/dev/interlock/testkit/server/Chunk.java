package dev.interlock.testkit.server;

/** What was read from a connection at once, when, and the last {@link Faults#meet fault} that has held it back. */
final class Chunk {

    /** As the tap has changed them; of the reader until it hands the chunk to the writer. */
    byte[] bytes;

    final long readNanos = System.nanoTime();

    /** Guarded by the monitor of the faults. */
    long heldAt = -1;

    Chunk(byte[] bytes) {
        this.bytes = bytes;
    }
}
