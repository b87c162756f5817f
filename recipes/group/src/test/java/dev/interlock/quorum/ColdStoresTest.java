package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Stores that do not connect: nothing of a claim can be in those to which no acquire was sent. */
class ColdStoresTest {

    private static final Duration FOR_EVER = Duration.ofHours(1);
    private static final LeaseTerm LONG = LeaseTerm.renewing(Duration.ofMinutes(30));

    private final List<ColdStore> stores =
            Stream.generate(ColdStore::new).limit(3).toList();
    private final Interlock client =
            Interlock.builder(QuorumStore.over(stores)).closeTimeout(FOR_EVER).build();

    @Test
    void P27_close_waitsForNothing() {
        CompletableFuture<Lease> acquired = client.lock("n").acquireAsync(LONG).toCompletableFuture();

        assertThat(Caller.startAction(client::close).result()).isTrue();

        await().until(acquired::isCompletedExceptionally);
        assertThat(stores).allMatch(store -> store.releases.isEmpty());
    }

    @Test
    void P09_aStoreThatMayHaveReceivedTheAcquire_isAskedForItsRelease() {
        var unused = client.lock("n").acquireAsync(LONG);
        ColdStore connected = stores.get(2);
        assertThat(connected.acquires.element().begin()).isTrue();

        assertThat(Caller.startAction(client::close).result()).isTrue();

        assertThat(connected.releases).hasSize(1);
        assertThat(stores.get(0).releases).isEmpty();
    }

    /** Keeps each request in its line. */
    private static final class ColdStore implements LockStore {

        final Queue<QueuedAnswer<Attempt>> acquires = new ConcurrentLinkedQueue<>();
        final Queue<Claim> releases = new ConcurrentLinkedQueue<>();

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            QueuedAnswer<Attempt> answer = new QueuedAnswer<>();
            acquires.add(answer);
            return answer;
        }

        @Override
        public CompletionStage<Boolean> execute(Command command) {
            return new QueuedAnswer<>();
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            releases.add(claim);
            return new QueuedAnswer<>();
        }

        @Override
        public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
            return new QueuedAnswer<>();
        }

        @Override
        public CompletionStage<LockStatus> inspect(LockId id) {
            return new QueuedAnswer<>();
        }

        @Override
        public void onWake(Consumer<Wake> listener) {}

        @Override
        public void close() {}
    }
}
