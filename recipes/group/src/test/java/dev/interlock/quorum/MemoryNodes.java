package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Independent stores in memory, and quorums over them. */
record MemoryNodes(List<MemoryStore> stores) implements AutoCloseable {

    static MemoryNodes of(int count) {
        return new MemoryNodes(
                IntStream.range(0, count).mapToObj(i -> new MemoryStore()).toList());
    }

    /** Another client of all of them. */
    QuorumStore quorum() {
        return QuorumStore.over(stores.stream().map(MemoryStore::session).toList());
    }

    /** Another client of all of them, each behind something. */
    List<LockStore> sessions(UnaryOperator<LockStore> wrapper) {
        return stores.stream().map(store -> wrapper.apply(store.session())).toList();
    }

    /** Another client of all of them, each behind what may make it sick. */
    List<LockStore> sessions(List<SickStore> before) {
        return IntStream.range(0, stores.size())
                .mapToObj(i -> before.get(i).before(stores.get(i).session()))
                .toList();
    }

    boolean isLockedIn(int store, String name) {
        return inspect(store, name).isLocked();
    }

    boolean isWaitedForIn(int store, String name) {
        return !inspect(store, name).waiters().isEmpty();
    }

    private LockStatus inspect(int store, String name) {
        return stores.get(store)
                .inspect(LockId.lock(name))
                .toCompletableFuture()
                .join();
    }

    /** Ends the claims of a lock in one of the stores, as the user of that store can. */
    void forceUnlockIn(int store, String name) {
        try (Interlock client = Interlock.builder(stores.get(store).session()).build()) {
            assertThat(client.administration().forceUnlock(name)).isTrue();
        }
    }

    @Override
    public void close() {
        stores.forEach(MemoryStore::close);
    }
}
