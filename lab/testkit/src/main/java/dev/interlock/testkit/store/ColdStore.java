package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store that is cold: requests are executed at once, and their answers stay away until a test has warmed it up. */
public final class ColdStore extends WrappedStore {

    private final CompletableFuture<Void> warm = new CompletableFuture<>();
    private volatile boolean asked;

    /** In front of {@code inner}. */
    public ColdStore(LockStore inner) {
        super(inner);
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        CompletionStage<T> answer = request.get().thenCombine(warm, (value, none) -> value);
        asked = true;
        return answer;
    }

    /** Whether a request has come. */
    public boolean isAsked() {
        return asked;
    }

    /** Sends the answers that stayed away, and all others at once. */
    public void warmUp() {
        warm.complete(null);
    }
}
