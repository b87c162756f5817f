package dev.interlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The data that the locks protect: for each name an owner word and a counter in a file that all workers map. Only the
 * lock under test prevents lost updates. A worker that enters finds no owner, writes its mark, and finds the mark again
 * when it leaves; it reads and writes the counter in two steps. An overlap shows as a foreign mark or as a lost count.
 */
final class Guard {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    // Two cache lines for each name, so that names do not share one.
    private static final int STRIDE = 128;
    private static final int OWNER = 0;
    private static final int COUNT = 8;
    private static final int LAST_WORKER = 16;
    private static final int OVERLAPS = 24;
    private static final int PASSED_ON = 32;
    private static final int INSIDE = 40;
    private static final int OVERTAKEN = 48;
    private static final int RELEASED = 56;

    /** Behind the names: when each thread that waits in order asked; 0 if it does not wait. */
    private static final int MOST_THREADS = 64;

    /** Two that ask within this time of each other may come to the store in any order. */
    private static final long SAME_TIME_NANOS = 10_000_000;

    private final ByteBuffer memory;
    private final int names;

    private Guard(ByteBuffer memory, int names) {
        this.memory = memory;
        this.names = names;
    }

    /** Maps the file, which is created or, if it is there, shared. */
    static Guard map(Path file, int names) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = channel.map(
                    FileChannel.MapMode.READ_WRITE, 0, (long) STRIDE * names + (long) MOST_THREADS * Long.BYTES);
            return new Guard(memory, names);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Called by who holds the lock of this name.
     *
     * @param owner unique to the thread over all workers, not 0
     * @param worker unique to the worker, not 0
     * @return whether the holder before was in another worker
     */
    boolean enter(int name, long owner, long worker) {
        int at = name * STRIDE;
        if (get(at + OWNER) != 0 || get(at + INSIDE) != 0) {
            overlap(at);
        }
        set(at + OWNER, owner);
        set(at + COUNT, get(at + COUNT) + 1);
        boolean passedOn = get(at + LAST_WORKER) != worker;
        if (passedOn) {
            set(at + LAST_WORKER, worker);
            set(at + PASSED_ON, get(at + PASSED_ON) + 1);
        }
        return passedOn;
    }

    /** Called by the same thread before it unlocks. */
    void leave(int name, long owner) {
        int at = name * STRIDE;
        if (get(at + OWNER) != owner) {
            overlap(at);
        }
        set(at + OWNER, 0);
    }

    /** Called by who holds a share of the name. */
    void enterShared(int name) {
        enterWith(name, Long.MAX_VALUE);
    }

    /** Called by who holds one of so many permits of the name. */
    void enterWith(int name, long permits) {
        int at = name * STRIDE;
        if ((long) LONG.getAndAdd(memory, at + INSIDE, 1L) >= permits || get(at + OWNER) != 0) {
            overlap(at);
        }
        LONG.getAndAdd(memory, at + COUNT, 1L);
    }

    /** Called by the same thread before it gives the share or the permit back. */
    void leaveShared(int name) {
        int at = name * STRIDE;
        if (get(at + OWNER) != 0) {
            overlap(at);
        }
        LONG.getAndAdd(memory, at + INSIDE, -1L);
    }

    /** Called by who is about to release the name. The clock is the machine's, the same for all workers. */
    void releases(int name, long nowNanos) {
        set(name * STRIDE + RELEASED, nowNanos);
    }

    /** Called by who holds the name: when it was released last; 0 if it has not been. */
    long releasedNanos(int name) {
        return get(name * STRIDE + RELEASED);
    }

    /** Called by who is about to wait in order. The clock is the machine's, the same for all workers. */
    void asks(long owner, long nowNanos) {
        set(slot(owner), nowNanos);
    }

    /** Called by who got it, having asked then: who asked clearly earlier and still waits has been overtaken. */
    void entersInOrder(long owner, long askedNanos) {
        set(slot(owner), 0);
        for (int i = 0; i < MOST_THREADS; i++) {
            long other = get(slot(i));
            if (other != 0 && askedNanos - other > SAME_TIME_NANOS) {
                LONG.getAndAdd(memory, OVERTAKEN, 1L);
            }
        }
    }

    /** How often somebody who waits in order has been overtaken. */
    long overtaken() {
        return get(OVERTAKEN);
    }

    private int slot(long owner) {
        return STRIDE * names + (int) (owner % MOST_THREADS) * Long.BYTES;
    }

    /** The sum of the counters. */
    long count() {
        return sum(COUNT);
    }

    /** How often the holder before was in another worker. */
    long passedOn() {
        return sum(PASSED_ON);
    }

    /** How often a foreign mark was found. */
    long overlaps() {
        return sum(OVERLAPS);
    }

    private long sum(int field) {
        long sum = 0;
        for (int name = 0; name < names; name++) {
            sum += get(name * STRIDE + field);
        }
        return sum;
    }

    private void overlap(int at) {
        LONG.getAndAdd(memory, at + OVERLAPS, 1L);
    }

    // Opaque: a real access to memory each time, and no more; the order is the lock's to give.
    private long get(int at) {
        return (long) LONG.getOpaque(memory, at);
    }

    private void set(int at, long value) {
        LONG.setOpaque(memory, at, value);
    }
}
