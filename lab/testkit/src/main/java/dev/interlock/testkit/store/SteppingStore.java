package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.Wake;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that calls a test before and after each request, and before and after each wake, on the same thread. */
public final class SteppingStore extends WrappedStore {

    private final Runnable step;

    /** In front of {@code inner}. */
    public SteppingStore(LockStore inner, Runnable step) {
        super(inner);
        this.step = step;
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        step.run();
        CompletionStage<T> answer = request.get();
        step.run();
        return answer;
    }

    @Override
    void wake(Wake wake, Consumer<Wake> listener) {
        step.run();
        super.wake(wake, listener);
        step.run();
    }
}
