package dev.interlock.bench;

/** One client of a lock service under test. Thread-safe. */
interface Peer extends AutoCloseable {

    /** The lock of this name, for use by one thread at a time. */
    PeerLock lock(String name);

    /**
     * The lock of this name and flavour, for use by one thread at a time.
     *
     * @throws UnsupportedOperationException if the peer has no such lock
     */
    default PeerLock lock(String name, Flavour flavour) {
        if (flavour == Flavour.PLAIN) {
            return lock(name);
        }
        throw new UnsupportedOperationException("this peer has no lock of flavour " + flavour);
    }

    @Override
    void close();
}
