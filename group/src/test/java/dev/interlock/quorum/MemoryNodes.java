package dev.interlock.quorum;

import dev.interlock.memory.MemoryStore;
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

    @Override
    public void close() {
        stores.forEach(MemoryStore::close);
    }
}
