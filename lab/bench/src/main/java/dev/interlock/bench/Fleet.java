package dev.interlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** All workers of one peer for one scenario, and the guard that checks their exclusion. */
final class Fleet implements AutoCloseable {

    /**
     * How often the time of warming up is spent at most, until there have been enough pairs: what runs in several JVMs
     * takes a minute.
     */
    static final int MOST_WARM_UPS = 10;

    private final PeerKind peer;
    private final Path file;
    private final Guard guard;
    private final List<Worker> workers = new ArrayList<>();
    private long entered;

    private Fleet(PeerKind peer, Path file, int names) {
        this.peer = peer;
        this.file = file;
        guard = Guard.map(file, names);
    }

    /** Opens the workers; one that is the only one may be in this JVM. */
    static Fleet open(PeerKind peer, Scenario scenario, String uri, boolean here) {
        Fleet fleet = new Fleet(peer, Scratch.file("guard"), scenario.names());
        for (int number = 1; number <= scenario.jvms(); number++) {
            Work work = new Work(
                    peer,
                    scenario.kind(),
                    uri,
                    scenario.threads(),
                    scenario.names(),
                    "bench:" + scenario.id() + ':' + peer,
                    fleet.file,
                    number);
            fleet.workers.add(here && scenario.jvms() == 1 ? new LocalWorker(work) : new RemoteWorker(work));
        }
        fleet.workers.forEach(worker -> {
            if (worker instanceof RemoteWorker remote) {
                remote.awaitReady();
            }
        });
        return fleet;
    }

    /** Lets all workers work until their code is compiled, or for as long as the settings bear. */
    void warmUp(Settings settings) {
        long done = 0;
        for (int i = 0; i < MOST_WARM_UPS && done < settings.warmOperations(); i++) {
            done += run(settings.warmUp()).join().stream()
                    .mapToLong(Outcome::all)
                    .sum();
        }
    }

    /**
     * Lets all workers work for this time.
     *
     * @return what each of them did
     * @throws IllegalStateException if two threads were inside one lock at the same time
     */
    CompletableFuture<List<Outcome>> run(Duration time) {
        List<CompletableFuture<Outcome>> runs =
                workers.stream().map(worker -> worker.run(time)).toList();
        return CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    List<Outcome> outcomes =
                            runs.stream().map(CompletableFuture::join).toList();
                    verify(outcomes);
                    return outcomes;
                });
    }

    /** How often the lock has passed from one worker to another, up to now. */
    long passedOn() {
        return guard.passedOn();
    }

    /** How often somebody who waits in order has been overtaken, up to now. */
    long overtaken() {
        return guard.overtaken();
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void verify(List<Outcome> outcomes) {
        entered += outcomes.stream().mapToLong(Outcome::entered).sum();
        if (guard.overlaps() != 0 || guard.count() != entered) {
            throw new IllegalStateException("Exclusion broken by " + peer.title() + ": acquisitions=" + entered
                    + ", counted under the lock=" + guard.count() + ", foreign marks=" + guard.overlaps());
        }
    }
}
