package dev.interlock.testkit.contract.form;

import dev.interlock.testkit.Patience;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A body, in both forms, which asks from outside whether the lock is held when it begins and when it ends. */
public final class FormBody {

    private final Site seen;
    private final boolean stubborn;
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final Queue<Boolean> heldAtBegin = new ConcurrentLinkedQueue<>();
    private final Queue<Boolean> heldAtEnd = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Runnable middle;

    FormBody(Site seen) {
        this(seen, false);
    }

    /**
     * A body that has not begun.
     *
     * @param seen what another client sees of the lock
     * @param stubborn whether it ignores interrupts
     */
    FormBody(Site seen, boolean stubborn) {
        this.seen = seen;
        this.stubborn = stubborn;
    }

    /** Begins; the body ends when the future does, which an adapter may cancel. */
    public CompletableFuture<String> begin() {
        heldAtBegin.add(seen.isHeld());
        Runnable more = middle;
        if (more != null) {
            more.run();
        }
        Work work = new Work();
        var unused = end.whenComplete((value, failure) -> work.end(value, failure));
        return work;
    }

    /** Looks at the lock before anybody hears of its end: what depends on a future hears of that in no order. */
    private final class Work extends CompletableFuture<String> {

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            look();
            return super.cancel(mayInterruptIfRunning);
        }

        private void end(@Nullable String value, @Nullable Throwable failure) {
            look();
            if (failure == null) {
                complete(value);
            } else {
                completeExceptionally(failure);
            }
        }

        private void look() {
            if (!isDone()) {
                heldAtEnd.add(seen.isHeld());
            }
        }
    }

    /** Runs to its end, on the calling thread, which an adapter may interrupt. */
    public String run() throws InterruptedException {
        CompletableFuture<String> work = begin();
        while (true) {
            try {
                return await(work);
            } catch (InterruptedException e) {
                if (!stubborn) {
                    work.cancel(false);
                    throw e;
                }
            }
        }
    }

    private static String await(CompletableFuture<String> work) throws InterruptedException {
        try {
            return work.get(Patience.seconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(cause.getMessage());
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** What the body does after it has begun. */
    void middle(Runnable action) {
        middle = action;
    }

    void end(String result) {
        end.complete(result);
    }

    void fail(RuntimeException failure) {
        end.completeExceptionally(failure);
    }

    /** Whether it has begun, and not ended. */
    boolean isRunning() {
        return !heldAtBegin.isEmpty() && heldAtEnd.isEmpty();
    }

    List<Boolean> heldAtBegin() {
        return List.copyOf(heldAtBegin);
    }

    List<Boolean> heldAtEnd() {
        return List.copyOf(heldAtEnd);
    }
}
