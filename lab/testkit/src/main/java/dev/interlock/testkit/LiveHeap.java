package dev.interlock.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * How much of the heap is reachable, as the collector has found it at its last collection. What counts as used a moment
 * later has room in it that threads were given and have not filled: megabytes, as many as they like.
 */
public final class LiveHeap {

    private LiveHeap() {}

    /** Collects, and returns what is left, in bytes. */
    @SuppressWarnings("ExplicitGC") // the heap is what is measured
    public static long bytes() {
        System.gc();
        long live = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage left = pool.getCollectionUsage();
            if (pool.getType() == MemoryType.HEAP && left != null) {
                live += left.getUsed();
            }
        }
        return live;
    }
}
