package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** A store that is slow to execute releases: they stand before a gate until a test opens it. */
public final class GateStore extends WrappedStore {

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean shut;

    /** Open at first. */
    public GateStore(LockStore inner) {
        super(inner);
    }

    /** From now on releases wait. */
    public void shut() {
        shut = true;
    }

    /** Lets all pass that wait, and all that come. */
    public void open() {
        shut = false;
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    /** Whether a release waits. */
    public boolean isWaitedFor() {
        return !waiting.isEmpty();
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        if (verb != Verb.RELEASE || !shut) {
            return request.get();
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        waiting.add(() -> {
            var unused = request.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        });
        return answer;
    }
}
