package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** A store that has done a request before its answer arrives: a test delivers the answers. */
public final class LateAnswersStore extends WrappedStore {

    private final Function<Verb, Executor> deliveries;

    /**
     * In front of {@code inner}.
     *
     * @param deliveries says, before each request is sent, who delivers its answer
     */
    public LateAnswersStore(LockStore inner, Function<Verb, Executor> deliveries) {
        super(inner);
        this.deliveries = deliveries;
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        CompletableFuture<T> arrived = new CompletableFuture<>();
        Executor delivery = deliveries.apply(verb);
        var unused = request.get()
                .whenComplete((answer, failure) -> delivery.execute(() -> {
                    if (failure == null) {
                        arrived.complete(answer);
                    } else {
                        arrived.completeExceptionally(failure);
                    }
                }));
        return arrived;
    }
}
