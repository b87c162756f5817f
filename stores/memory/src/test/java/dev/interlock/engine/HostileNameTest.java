package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.Party;
import dev.interlock.StoreUnavailableException;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Printable;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A name that would forge a line of a log, or change how it is shown, in every text that the API makes of it: each
 * {@code toString}, and the message of each exception, of each kind of lock.
 */
class HostileNameTest {

    private static final String NAME = "a\n2026-11-28 ERROR admin: password changed\u001b[31m\u202e";
    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(1));

    private final List<String> texts = new ArrayList<>();

    private void text(@Nullable Object shown) {
        texts.add(String.valueOf(shown));
    }

    private void failure(ThrowingCallable call) {
        try {
            call.call();
            assertThat(true).as("it has to fail").isFalse();
        } catch (Throwable e) {
            // Logs print the causes, too.
            for (Throwable t = e instanceof CompletionException ? e.getCause() : e; t != null; t = t.getCause()) {
                text(t.getMessage());
            }
        }
    }

    private void assertSafe(int atLeast) {
        assertThat(texts).hasSizeGreaterThanOrEqualTo(atLeast);
        assertThat(texts).allSatisfy(text -> assertThat(
                        text.codePoints().filter(Printable::isUnsafe).toArray())
                .as(Printable.of(text))
                .isEmpty());
        assertThat(texts).anySatisfy(text -> assertThat(text).contains("a\\n2026-11-28"));
    }

    @Test
    void everyTextOfALockAndItsLease() throws Exception {
        Interlock client = Interlock.inMemory();
        try {
            DistributedLock lock = client.lock(NAME);
            text(lock);
            Lease lease = lock.acquire(LONG);
            text(lease);
            text(lock.inspect());
            text(lock.inspect().holders());
            failure(lock::newCondition);
            failure(lock::unlock);
            failure(() -> lease.token("other\n"));
            lease.close();
            failure(lease::ensureValid);
            failure(() -> lease.extend(Duration.ofSeconds(1)));
            text(new LockLostException(NAME, NAME, 1, LossCause.TAKEN, Duration.ZERO, Duration.ZERO, Duration.ZERO)
                    .getMessage());
            DistributedReadWriteLock both = client.readWriteLock(NAME);
            text(both);
            text(both.readLock());
            text(both.writeLock());
            both.readLock().lock(LONG);
            failure(both.writeLock()::lock);
            failure(() -> both.readLock().acquire(LONG).lapse(Duration.ofSeconds(1)));
            both.readLock().unlock();
            failure(both.readLock()::unlock);
            client.close();
            failure(lock::acquire);
        } finally {
            client.close();
        }
        assertSafe(16);
    }

    @Test
    void everyTextOfSemaphoresLatchesAndIds() throws Exception {
        try (Interlock client = Interlock.inMemory()) {
            DistributedSemaphore semaphore = client.semaphore(NAME, 2);
            text(semaphore);
            failure(() -> semaphore.acquire(3));
            failure(() -> semaphore.resize(0));
            failure(() -> semaphore.addPermits(-5));
            Lease lease = semaphore.acquire();
            failure(() -> client.semaphore("other", 2).release(lease, 1));
            failure(() -> semaphore.release(lease, 2));
            failure(() -> client.semaphore(NAME, 0));
            DistributedLatch latch = client.latch(NAME + "2");
            text(latch);
            failure(() -> latch.trySetCount(0));
        }
        LockId id = LockId.lock(NAME);
        text(id);
        text(new Party(NAME, 1, NAME, NAME));
        Claim claim = Claim.of(id, new OwnerId(NAME), Duration.ofSeconds(1), Party.UNKNOWN);
        text(claim);
        text(BlockingClient.command(claim, new Command.RequestRevocation()));
        failure(() -> BlockingClient.command(claim, new Command.CountDown()));
        failure(() -> LockId.lock(NAME + "x".repeat(600)));
        Arrays.stream(LockKind.values()).forEach(kind -> text(new LockId(NAME, kind)));
        assertSafe(14);
    }

    /** What a store says may have the name, and whatever a server has sent. */
    @Test
    void everyTextOfAStoreThatFails() {
        LockStore store = new ForwardingStore(new MemoryStore()) {
            @Override
            public CompletionStage<Attempt> acquire(Claim claim) {
                return CompletableFuture.failedFuture(
                        new StoreUnavailableException("no: " + claim.id().name(), null));
            }

            @Override
            public CompletionStage<Boolean> execute(Command command) {
                return CompletableFuture.failedFuture(
                        new StoreUnavailableException("no: " + command.id().name(), null));
            }

            @Override
            public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
                return CompletableFuture.failedFuture(new StoreUnavailableException("no: " + NAME, null));
            }
        };
        try (Interlock client =
                Interlock.builder(store).storeTimeout(Duration.ofMillis(20)).build()) {
            failure(client.lock(NAME)::acquire);
            failure(() -> client.lock(NAME).tryLock());
            failure(() -> client.semaphore(NAME, 3).acquire());
            failure(() -> client.readWriteLock(NAME).readLock().acquire());
            failure(() -> client.lock(NAME).acquireAsync().toCompletableFuture().join());
            failure(() -> client.latch(NAME).trySetCount(3));
        }
        assertSafe(6);
    }
}
