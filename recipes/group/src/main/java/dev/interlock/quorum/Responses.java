package dev.interlock.quorum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The responses of all stores to one request, as they arrive. The monitor guards them, and is not held while the result
 * completes.
 *
 * @param <T> the type of a store's response
 */
final class Responses<T> {

    @GuardedBy("this")
    private final List<@Nullable T> received = new ArrayList<>();

    @GuardedBy("this")
    private int open;

    @GuardedBy("this")
    private @Nullable Throwable failure;

    private Responses(int stores) {
        this.open = stores;
        for (int store = 0; store < stores; store++) {
            received.add(null);
        }
    }

    /**
     * The responses that have arrived so far.
     *
     * @param responses by the number of the store; null for a store that has not responded, or failed
     * @param open how many stores may still respond
     * @param failure the failure of one of the stores; null if none has failed
     * @param <T> the type of a store's response
     */
    record Tally<T>(List<@Nullable T> responses, int open, @Nullable Throwable failure) {

        /** The number of responses that satisfy the predicate. */
        int count(Predicate<T> predicate) {
            int count = 0;
            for (T response : responses) {
                count += response != null && predicate.test(response) ? 1 : 0;
            }
            return count;
        }

        /** The number of stores that have responded. */
        int received() {
            return count(response -> true);
        }

        /** The exception for a request to which too few stores have responded. */
        IOException tooFew() {
            return new IOException(
                    "No majority of the stores answered: " + received() + " of " + responses.size() + " did", failure);
        }
    }

    /**
     * Completes with the first result of the rule.
     *
     * @param rule the result of the responses so far; null if it needs more of them. If it is null when none is open,
     *     the future fails with {@link Tally#tooFew()}
     */
    static <T, R> CompletableFuture<R> collect(
            List<CompletableFuture<T>> requests, Function<Tally<T>, @Nullable R> rule) {
        return collect(requests, rule, () -> Runnable::run, tally -> null);
    }

    /**
     * Completes with the first result of the rule; or with the result of {@code early}, if that has one and the rule
     * still has none after a delay for stragglers.
     *
     * @param delay supplies executors that run a task after the delay
     */
    static <T, R> CompletableFuture<R> collect(
            List<CompletableFuture<T>> requests,
            Function<Tally<T>, @Nullable R> rule,
            Supplier<Executor> delay,
            Function<Tally<T>, @Nullable R> early) {
        Responses<T> responses = new Responses<>(requests.size());
        CompletableFuture<R> result = new CompletableFuture<>();
        for (int store = 0; store < requests.size(); store++) {
            int number = store;
            var unused = requests.get(store).whenComplete((response, failure) -> {
                Tally<T> tally = responses.add(number, response, failure);
                R decided = result.isDone() ? null : rule.apply(tally);
                if (decided != null) {
                    result.complete(decided);
                } else if (tally.open() == 0) {
                    result.completeExceptionally(tally.tooFew());
                } else if (!result.isDone() && early.apply(tally) != null) {
                    delay.get().execute(() -> result.complete(early.apply(responses.tally())));
                }
            });
        }
        return result;
    }

    private synchronized Tally<T> tally() {
        return new Tally<>(new ArrayList<>(received), open, failure);
    }

    private synchronized Tally<T> add(int store, @Nullable T response, @Nullable Throwable why) {
        received.set(store, response);
        open--;
        failure = why == null ? failure : why;
        return tally();
    }
}
