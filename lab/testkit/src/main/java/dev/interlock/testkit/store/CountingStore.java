package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.Wake;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Counts what a store is asked, and the wakes that it sends. */
public final class CountingStore extends WrappedStore {

    private final Map<Verb, LongAdder> counts = new EnumMap<>(Verb.class);
    private final LongAdder wakes = new LongAdder();

    /** Counts the requests to this store from now on. */
    public CountingStore(LockStore inner) {
        super(inner);
        for (Verb verb : Verb.values()) {
            counts.put(verb, new LongAdder());
        }
    }

    /** The requests of all verbs. */
    public long requests() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** The requests of one verb. */
    public long requests(Verb verb) {
        return counter(verb).sum();
    }

    /** The wakes that have arrived. */
    public long wakes() {
        return wakes.sum();
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        counter(verb).increment();
        return request.get();
    }

    @Override
    void wake(Wake wake, Consumer<Wake> listener) {
        wakes.increment();
        listener.accept(wake);
    }

    private LongAdder counter(Verb verb) {
        LongAdder counter = counts.get(verb);
        if (counter == null) {
            throw new AssertionError(verb);
        }
        return counter;
    }

    @Override
    public String toString() {
        return "CountingStore" + counts + ", wakes=" + wakes;
    }
}
