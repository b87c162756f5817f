package dev.interlock.quorum;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The answers of all stores to one question, as they come. Guarded by its own monitor, which is not held while the
 * result completes.
 *
 * @param <T> what a store answers
 */
final class Poll<T> {

    @GuardedBy("this")
    private final List<@Nullable T> answers = new ArrayList<>();

    @GuardedBy("this")
    private int open;

    private @Nullable Throwable failure;

    private Poll(int stores) {
        this.open = stores;
        for (int store = 0; store < stores; store++) {
            answers.add(null);
        }
    }

    /**
     * What has been answered so far.
     *
     * @param answers by the number of the store; null if it has not answered, or failed
     * @param open how many may answer yet
     * @param failure why one of them failed; null if none has
     * @param <T> what a store answers
     */
    record Count<T>(List<@Nullable T> answers, int open, @Nullable Throwable failure) {

        /** How many answers are so. */
        int of(Predicate<T> kind) {
            int count = 0;
            for (T answer : answers) {
                count += answer != null && kind.test(answer) ? 1 : 0;
            }
            return count;
        }

        /** How many have answered. */
        int answered() {
            return of(answer -> true);
        }

        /** For a question that too few have answered. */
        IOException tooFew() {
            return new IOException(
                    "No majority of the stores answered: " + answered() + " of " + answers.size() + " did", failure);
        }
    }

    /**
     * The result of the rule as soon as it has one; null means that it waits for more answers, and is not allowed when
     * none is open.
     */
    static <T, R> CompletableFuture<R> take(
            List<CompletableFuture<T>> questions, Function<Count<T>, @Nullable R> rule) {
        return take(questions, rule, Duration.ZERO, count -> null);
    }

    /**
     * The result of the rule as soon as it has one; or that of {@code early}, if it has had one for a moment and the
     * rule still waits for stragglers.
     *
     * @param moment the longest moment
     */
    static <T, R> CompletableFuture<R> take(
            List<CompletableFuture<T>> questions,
            Function<Count<T>, @Nullable R> rule,
            Duration moment,
            Function<Count<T>, @Nullable R> early) {
        Poll<T> poll = new Poll<>(questions.size());
        CompletableFuture<R> result = new CompletableFuture<>();
        for (int store = 0; store < questions.size(); store++) {
            int number = store;
            var unused = questions.get(store).whenComplete((answer, failure) -> {
                Count<T> count = poll.answered(number, answer, failure);
                R decided = result.isDone() ? null : rule.apply(count);
                if (decided != null) {
                    result.complete(decided);
                } else if (count.open() == 0) {
                    result.completeExceptionally(count.tooFew());
                } else if (!result.isDone() && early.apply(count) != null) {
                    Later.soon(moment).execute(() -> result.complete(early.apply(poll.count())));
                }
            });
        }
        return result;
    }

    private synchronized Count<T> count() {
        return new Count<>(new ArrayList<>(answers), open, failure);
    }

    private synchronized Count<T> answered(int store, @Nullable T answer, @Nullable Throwable why) {
        answers.set(store, answer);
        open--;
        failure = why == null ? failure : why;
        return count();
    }
}
