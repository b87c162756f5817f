package dev.interlock.deadlock;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Patience;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A thread that holds some locks and waits for one. It is the participant of all of them. */
final class Actor implements AutoCloseable {

    private final Interlock client;
    private final LockOptions options;
    private final ExecutorService thread;

    /** How to release what it holds; of its thread. */
    private final Deque<Runnable> releases = new ArrayDeque<>();

    Actor(Interlock client, String name) {
        this.client = client;
        this.options = LockOptions.builder().participant(name).build();
        this.thread = Executors.newSingleThreadExecutor(work -> new Thread(work, name));
    }

    /** Acquires what is free. */
    Actor holds(Demand demand) throws Exception {
        get(thread.submit(() -> {
            releases.push(demand.acquire(client, options));
            return true;
        }));
        return this;
    }

    /**
     * Begins to wait. When it has what it waits for, or learns of a deadlock, it lets go of everything, as a program
     * does that has failed or is done.
     *
     * @return the deadlock, or null
     */
    Future<@Nullable DeadlockException> waitsFor(Demand demand) {
        return thread.submit(() -> {
            try {
                releases.push(demand.acquire(client, options));
                return null;
            } catch (DeadlockException e) {
                return e;
            } finally {
                releaseAll();
            }
        });
    }

    private void releaseAll() {
        while (!releases.isEmpty()) {
            releases.pop().run();
        }
    }

    /** Lets go of everything. */
    void letsGo() throws Exception {
        get(thread.submit(this::releaseAll, true));
    }

    static <T> T get(Future<T> soon) throws InterruptedException, ExecutionException, TimeoutException {
        return soon.get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
