package dev.interlock.testkit.contract;

import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Another thread of the test, with a result or a failure. */
public final class Caller<T> {

    private final FutureTask<T> task;
    private final Thread thread;

    private Caller(Callable<T> body) {
        this.task = new FutureTask<>(body);
        this.thread = new Thread(task, "caller");
        thread.setDaemon(true);
    }

    /** Runs the body on a new thread. */
    public static <T> Caller<T> start(Callable<T> body) {
        Caller<T> caller = new Caller<>(body);
        caller.thread.start();
        return caller;
    }

    /** Runs the body on a new thread to its end; its result. */
    public static <T> T call(Callable<T> body) {
        return start(body).result();
    }

    /** Runs a check on a new thread to its end. */
    public static boolean test(Callable<Boolean> body) {
        return call(body);
    }

    /** Something to do that may throw. */
    public interface Action {
        void run() throws Exception;
    }

    public static Caller<Boolean> startAction(Action body) {
        return start(() -> {
            body.run();
            return true;
        });
    }

    /** Returns when the thread has begun to wait for something. */
    public Caller<T> awaitBlocked() {
        await("caller waits").pollInterval(Duration.ofMillis(2)).until(() -> {
            Thread.State state = thread.getState();
            return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        });
        return this;
    }

    public void interrupt() {
        thread.interrupt();
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** The result, waiting for it. */
    public T result() {
        return result(Patience.limit());
    }

    /** The result of a loop that the full form makes long, waiting for it. */
    public T loopResult() {
        return result(Effort.pick(Patience.limit(), Duration.ofMinutes(25)));
    }

    /** The result, waiting for it for at most so long. */
    public T result(Duration patience) {
        try {
            return task.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("The caller failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            AssertionError stuck = new AssertionError("The caller is stuck, state=" + thread.getState(), e);
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }

    /** What the body threw, waiting for it. */
    public Throwable failure() {
        try {
            throw new AssertionError(
                    "The caller should have failed, but returned " + task.get(Patience.seconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("The caller is stuck, state=" + thread.getState(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }
}
