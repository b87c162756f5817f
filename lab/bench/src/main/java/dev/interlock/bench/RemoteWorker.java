package dev.interlock.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A worker in a JVM of its own. */
final class RemoteWorker implements Worker {

    private final Child child;
    private final ExecutorService reader = Executors.newSingleThreadExecutor();

    RemoteWorker(Work work) {
        String earlier = work.peer() == PeerKind.BASELINE ? Child.baseline() : null;
        child = Child.start(WorkerMain.class, earlier == null ? Child.classPath() : earlier, work.toArguments());
    }

    /** Waits until its client is open. */
    void awaitReady() {
        child.expect("ready");
    }

    @Override
    public CompletableFuture<Outcome> run(Duration time) {
        child.send(Long.toString(time.toMillis()));
        return CompletableFuture.supplyAsync(() -> Outcome.parse(child.expect("done")), reader);
    }

    @Override
    public void close() {
        reader.shutdown();
        child.close();
    }
}
