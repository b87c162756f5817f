package dev.interlock.bench;

/** One client of a lock service under test. Thread-safe. */
interface Peer extends AutoCloseable {

    /** The lock of this name, for use by one thread at a time. */
    PeerLock lock(String name);

    @Override
    void close();
}
