package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that is far away: what is sent arrives later, in the same order. */
public final class FarStore extends WrappedStore {

    private final Duration eachWay;
    private final ScheduledExecutorService way = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "far-store");
        thread.setDaemon(true);
        return thread;
    });

    /** @param eachWay how long requests, answers and wakes are under way */
    public FarStore(LockStore inner, Duration eachWay) {
        super(inner);
        this.eachWay = eachWay;
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        later(() -> request.get()
                .whenComplete((value, failure) -> later(() -> {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                })));
        return answer;
    }

    @Override
    void wake(Wake wake, Consumer<Wake> listener) {
        later(() -> listener.accept(wake));
    }

    @Override
    public void close() {
        super.close();
        way.shutdown();
    }

    private void later(Runnable arrival) {
        var unused = way.schedule(arrival, eachWay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
