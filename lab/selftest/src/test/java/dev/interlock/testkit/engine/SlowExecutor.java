package dev.interlock.testkit.engine;

import static org.awaitility.Awaitility.await;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** Keeps what it gets, until it is told to run it. Thread-safe. */
final class SlowExecutor implements Executor {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Returns when there is something to run. */
    void awaitTask() {
        await().until(() -> !tasks.isEmpty());
    }

    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
