package dev.interlock.jdbc;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.testkit.store.BlockingClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A client of the SQL store that can wait for a lock, as the engine does. */
final class Client extends BlockingClient {

    Client(Path file) {
        this(JdbcStore.sqlite(file));
    }

    Client(JdbcStore store) {
        super(store);
    }

    /** Asks as the engine does until granted: again when the answer says so. */
    long lock(Claim claim) throws InterruptedException {
        long start = System.nanoTime();
        Claim asking = claim.waiting(Duration.ZERO);
        while (true) {
            Attempt attempt = acquire(asking);
            if (attempt instanceof Attempt.Granted granted) {
                return granted.fence();
            }
            TimeUnit.NANOSECONDS.sleep(((Attempt.Busy) attempt).retryAfter().toNanos());
            asking = claim.waiting(Duration.ofNanos(System.nanoTime() - start));
        }
    }
}
