package dev.interlock.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Another client of the same peer, which holds the first name until it is closed. */
interface Holder extends AutoCloseable {

    /** Holds nothing. */
    Holder NONE = () -> {};

    @Override
    void close();

    /** Holds the name of the first thread of this work. */
    static Holder of(Work work) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Peer peer = work.peer().open(work.uri());
        PeerLock lock = peer.lock(work.name(0));
        CompletableFuture.runAsync(lock::lock, thread).join();
        return () -> {
            CompletableFuture.runAsync(lock::unlock, thread).join();
            thread.shutdown();
            peer.close();
        };
    }
}
