package dev.interlock.bench;

import dev.interlock.Interlock;

/** Ours, with its default settings. */
final class InterlockPeer implements Peer {

    private final Interlock client;

    InterlockPeer(String uri) {
        client = Interlock.builder(uri).application("bench").build();
    }

    @Override
    public PeerLock lock(String name) {
        return new JavaLock(client.lock(name));
    }

    @Override
    public void close() {
        client.close();
    }
}
