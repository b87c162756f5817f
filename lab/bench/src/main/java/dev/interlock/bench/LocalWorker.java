package dev.interlock.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A worker whose threads are in this JVM. */
final class LocalWorker implements Worker {

    private final Work work;
    private final Guard guard;
    private final Peer peer;
    // One executor for each thread, for locks belong to threads and a run must find its own again.
    private final List<ExecutorService> threads = new ArrayList<>();
    private final List<PeerLock> locks = new ArrayList<>();
    // The other side, of a read/write lock; of any other lock the same.
    private final List<PeerLock> shares = new ArrayList<>();
    private final Holder holder;

    LocalWorker(Work work) {
        this.work = work;
        guard = Guard.map(work.guard(), work.names());
        peer = work.peer().open(work.uri());
        for (int i = 0; i < work.threads(); i++) {
            threads.add(Executors.newSingleThreadExecutor());
            PeerLock lock = peer.lock(work.name(i), work.flavour());
            locks.add(lock);
            shares.add(work.flavour() == Flavour.WRITE ? peer.lock(work.name(i), Flavour.READ) : lock);
        }
        holder = work.kind() == Work.Kind.TIMED_TRY ? Holder.of(work) : Holder.NONE;
        if (work.kind() == Work.Kind.REENTRY) {
            onAllThreads(PeerLock::lock);
        }
    }

    @Override
    public CompletableFuture<Outcome> run(Duration time) {
        long cpuBefore = cpuNanos();
        CyclicBarrier together = new CyclicBarrier(work.threads());
        List<CompletableFuture<Outcome>> runs = new ArrayList<>();
        for (int i = 0; i < work.threads(); i++) {
            Task task = new Task(work, i, locks.get(i), shares.get(i), guard, together);
            runs.add(CompletableFuture.supplyAsync(() -> task.run(time), threads.get(i)));
        }
        return runs.stream()
                .reduce((a, b) -> a.thenCombine(b, Outcome::plus))
                .orElseThrow()
                .thenApply(outcome -> outcome.withCpu(cpuNanos() - cpuBefore));
    }

    @Override
    public void close() {
        if (work.kind() == Work.Kind.REENTRY) {
            onAllThreads(PeerLock::unlock);
        }
        threads.forEach(ExecutorService::shutdown);
        holder.close();
        peer.close();
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private void onAllThreads(Consumer<PeerLock> step) {
        for (int i = 0; i < work.threads(); i++) {
            PeerLock lock = locks.get(i);
            CompletableFuture.runAsync(() -> step.accept(lock), threads.get(i)).join();
        }
    }
}
