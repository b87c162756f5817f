package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.Wake;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that notes whether its client was ever woken: from then on it hears what it is told. */
public final class WakeWatch extends WrappedStore {

    private volatile boolean woken;

    public WakeWatch(LockStore inner) {
        super(inner);
    }

    public boolean wasWoken() {
        return woken;
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        return request.get();
    }

    @Override
    void wake(Wake wake, Consumer<Wake> listener) {
        woken = true;
        listener.accept(wake);
    }
}
