package dev.interlock.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Some threads that use one client of a peer. */
interface Worker extends AutoCloseable {

    /** Lets all threads work for this time; one run at a time. The future fails if a thread of it failed. */
    CompletableFuture<Outcome> run(Duration time);

    /** Ends the threads and closes the client. */
    @Override
    void close();
}
