package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting costs no thread of ours for each who waits. */
@Timeout(600)
class WaitingThreadsTest {

    private static final int WAITERS = 10_000;

    /** The supervisor, and those that callbacks run on, of which the JVM may have kept some from another test. */
    private static final int FEW = 4;

    @Test
    void manyWaiters_costNoThread() throws Exception {
        try (Interlock client = Interlock.inMemory()) {
            List<Lease> held = new ArrayList<>();
            List<CompletableFuture<Void>> waiting = new ArrayList<>();
            int before = Thread.getAllStackTraces().size();
            for (int name = 0; name < 100; name++) {
                held.add(client.lock("n-" + name).acquire());
            }
            for (int i = 0; i < WAITERS; i++) {
                waiting.add(client.lock("n-" + i % 100)
                        .acquireAsync()
                        .thenAccept(Lease::close)
                        .toCompletableFuture());
            }

            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            assertThat(Thread.getAllStackTraces().size() - before).isLessThanOrEqualTo(FEW);

            held.forEach(Lease::close);
            CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new))
                    .get(Patience.seconds(), TimeUnit.SECONDS);
        }
    }
}
