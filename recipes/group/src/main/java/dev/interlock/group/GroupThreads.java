package dev.interlock.group;

import dev.interlock.support.DaemonThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Threads for calls to members that block, and for timeouts. */
final class GroupThreads {

    private static final Executor THREADS = DaemonThreads.pool("interlock-group");

    private GroupThreads() {}

    /** Runs the task at once on another thread. */
    static <T> CompletableFuture<T> run(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, THREADS);
    }
}
