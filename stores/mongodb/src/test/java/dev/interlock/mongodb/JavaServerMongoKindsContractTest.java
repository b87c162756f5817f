package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.kind.KindsContract;
import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.store.CountingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fair locks, semaphores and latches keep their contract. On mongo-java-server, not MongoDB, unless told otherwise. */
@Tag("long")
class JavaServerMongoKindsContractTest extends KindsContract {

    static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    protected LockStore openStore() {
        return MongoStore.over(mongo.client(), mongo.database());
    }

    /** Those who wait ask, the less often, the further back they stand, so that a long line is no storm. */
    @Test
    void P13_fair_waitersFurtherBack_askLessOften() throws Exception {
        List<Duration> pauses = Patience.inTime(this::pausesInALine);

        for (int ahead = 0; ahead < pauses.size(); ahead++) {
            assertThat(pauses.get(ahead))
                    .as("pause at place %d", ahead)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(7L * Math.min(ahead, 25)));
        }
    }

    /** Of those who wait, from the first; empty if the first may have lost its place before the last came. */
    private Optional<List<Duration>> pausesInALine() {
        LockId line = LockId.lock(clients().name());
        StoreClient client = clients().raw();
        client.granted(client.claim(line).inMode(Mode.fair()));
        long begun = System.nanoTime();
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            pauses.add(client.busy(client.claim(line).inMode(Mode.fair()).waiting(Duration.ZERO)));
        }
        return System.nanoTime() - begun < PLACE.toNanos() ? Optional.of(pauses) : Optional.empty();
    }

    /** Stated anew for clients that ask. */
    @Tag(Effort.TIMING)
    @Test
    @Override
    public void P13_fair_handOver_costsAtMostTwoRequests() throws Exception {
        int clients = 20;
        CountingStore store = new CountingStore(openStore());
        try (Interlock interlock = Interlock.builder(store).build()) {
            DistributedLock lock =
                    interlock.lock("P13", LockOptions.builder().fair(true).build());
            Lease held = lock.acquire();
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (int i = 1; i <= clients; i++) {
                int place = i;
                waiting.add(lock.acquireAsync().toCompletableFuture());
                await().pollInterval(Duration.ofMillis(2))
                        .until(() -> lock.inspect().waiters().size() == place);
            }
            long begun = System.nanoTime();
            long before = store.requests();
            for (CompletableFuture<Lease> next : waiting) {
                held.close();
                held = next.get(Patience.seconds(), TimeUnit.SECONDS);
            }
            held.close();

            // The first in the line asks every 2 to 50 ms, the one at place n not more often than every n * 7 ms.
            long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
            assertThat(store.requests() - before).isLessThanOrEqualTo(2L * clients + millis + clients);
        }
    }
}
