package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Capability;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** What a store cannot do is refused by the engine before anything is sent. */
class EngineCapabilityTest {

    private final TransitStore plain = new TransitStore(new MemoryStore()) {
        @Override
        public Set<Capability> capabilities() {
            return EnumSet.noneOf(Capability.class);
        }
    };
    private final Interlock client = Interlock.builder(plain).build();

    @Test
    void missingCapability_isRefused_beforeAnythingIsSent() {
        DistributedLock lock = client.lock("n");
        refused(
                "fair locks",
                () -> client.lock("n", LockOptions.builder().fair(true).build()).lock());
        refused("keeping a released lock", () -> client.lock(
                        "n",
                        LockOptions.builder().retained(Duration.ofSeconds(1)).build())
                .tryLock());
        refused("read/write locks", () -> client.readWriteLock("n").readLock().tryLock());
        refused("semaphores", () -> client.semaphore("n", 2).tryAcquire());
        refused("semaphores", () -> client.semaphore("n", 2).resize(3));
        refused("latches", () -> client.latch("n").countDown());
        refused("asking a holder to let go", () -> client.administration().requestRevocation("n"));
        refused("listing its locks", () -> client.administration().list("n", 10));
        assertThat(client.semaphore("n", 2).acquireAsync(1).toCompletableFuture())
                .failsWithin(Duration.ofMinutes(5))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(UnsupportedOperationException.class);
        assertThat(plain.count(Verb.ACQUIRE)).isZero();
        assertThat(plain.commands()).isEmpty();
        lock.lock();
        refused("leaving a lock to lapse", () -> lock.lapse(Duration.ofSeconds(1)));
        refused("leaving a lock to lapse", () -> lock.heldLease().lapse(Duration.ZERO));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(plain.count(Verb.ACQUIRE)).isOne();
    }

    @Test
    void capabilities_areAllByDefault_listingOnlyWithACatalog() {
        assertThat(new MemoryStore().capabilities()).containsExactlyInAnyOrder(Capability.values());
        assertThat(new ForwardingStore(new MemoryStore()) {}.capabilities())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(Capability.LISTING, Capability.RETENTION)));
    }

    private static void refused(String what, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("does not support " + what)
                .hasMessageContaining("name=n");
    }
}
