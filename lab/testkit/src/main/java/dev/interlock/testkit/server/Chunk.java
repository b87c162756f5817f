package dev.interlock.testkit.server;

/** What was read from a connection at once, when, and when a {@link Faults#meet fault} has held it back. */
final class Chunk {

    static final long NEVER = -1;

    /** As the tap has changed them; of the reader until it hands the chunk to the writer. */
    byte[] bytes;

    final long readNanos = System.nanoTime();

    /** After how many openings; guarded by the monitor of the faults. */
    long heldAt = NEVER;

    Chunk(byte[] bytes) {
        this.bytes = bytes;
    }
}
