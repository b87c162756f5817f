package dev.interlock.zookeeper.node;

import java.time.Duration;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** A node as it was read: what is in it, and what ZooKeeper says about it. */
public final class NodeData {

    private final byte[] data;
    private final Stat stat;

    /** The array is not copied. */
    public NodeData(byte[] data, Stat stat) {
        this.data = data;
        this.stat = stat;
    }

    /** The data; not to be changed. */
    public byte[] data() {
        return data;
    }

    public Stat stat() {
        return stat;
    }

    /**
     * Whether it was written longer ago than that. Without a clock of the servers its age is unknown, and counts as 0.
     */
    public boolean isOlder(Duration age, @Nullable ServerClock clock) {
        return clock != null && clock.since(stat.getMtime()).compareTo(age) >= 0;
    }
}
