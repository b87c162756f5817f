package dev.interlock.zookeeper;

import java.nio.charset.StandardCharsets;

/** A node in ZooKeeper that holds a lock, or a permit. Immutable. */
public final class LockNode {

    private final String path;
    private final byte[] data;

    LockNode(String path, byte[] data) {
        this.path = path;
        this.data = data.clone();
    }

    /** The path from the root, as a client without a namespace knows it. */
    public String path() {
        return path;
    }

    /** The data as they were read: docs/internals/zookeeper-format.md describes them. */
    public byte[] data() {
        return data.clone();
    }

    /** The path and the data. */
    @Override
    public String toString() {
        return "LockNode[path=" + path + ", data=" + new String(data, StandardCharsets.UTF_8) + "]";
    }
}
