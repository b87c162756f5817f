package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * To ask a holder to let go: a store that can ask implements this beside {@link DistributedLockContract}, and tells a
 * holder at once, whatever its term.
 */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
public interface RevocationContract extends LockFixture {

    @Test
    default void requestRevocation_isHeardAtOnce_andTheHolderMayRelease() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease held = lock.acquire(LeaseTerm.renewing(Duration.ofMinutes(5)));
        held.onRevocationRequested(held::close);
        Caller<Lease> waiting = Caller.start(other::acquire);

        assertThat(operator().requestRevocation(lock.name())).isTrue();

        waiting.result().close();
        assertThat(held.isValid()).isFalse();
    }

    /** The callback is there before the lock is: no request is missed after the grant. */
    @Test
    default void requestRevocation_isHeardByTheCallbackOfTheOptions() throws Exception {
        CompletableFuture<Lease> asked = new CompletableFuture<>();
        LockOptions options =
                LockOptions.builder().onRevocationRequested(asked::complete).build();
        DistributedLock lock = clients().open().lock(clients().name(), options);
        DistributedLock other = elsewhere(lock);
        lock.lock(LeaseTerm.renewing(Duration.ofMinutes(5)));

        assertThat(operator().requestRevocation(lock.name())).isTrue();

        assertThat(asked.get(Patience.seconds(), TimeUnit.SECONDS)).isSameAs(lock.heldLease());
        lock.unlock();
        other.acquire().close();
    }

    @Test
    default void requestRevocation_endsNothing() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Queue<String> told = new ConcurrentLinkedQueue<>();
        assertThat(operator().requestRevocation(lock.name()))
                .as("of a free lock")
                .isFalse();
        try (Lease held = lock.acquire()) {
            held.onRevocationRequested(() -> told.add("asked"));
            held.onLost(cause -> told.add(cause.name()));
            assertThat(operator().requestRevocation(lock.name())).isTrue();
            await().until(() -> !told.isEmpty());
            // A second one adds nothing.
            assertThat(operator().requestRevocation(lock.name())).isTrue();
            await().untilAsserted(() -> assertThat(other.inspect().holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.token()).isEqualTo(held.token())));
            held.extend(Duration.ofMinutes(1));
            assertThat(held.isValid()).isTrue();
            assertThat(other.tryAcquire()).isEmpty();
            assertThat(told).containsExactly("asked");
        }
        assertThat(operator().requestRevocation(lock.name()))
                .as("of a released lock")
                .isFalse();
    }

    @Test
    default void onRevocationRequested_afterTheRequest_isCalledAtOnce() throws Exception {
        DistributedLock lock = lock();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Lease held = lock.acquire();
        held.onRevocationRequested(() -> {
            throw new IllegalStateException("of the callback");
        });
        held.onRevocationRequested(() -> told.add("first"));
        assertThat(operator().requestRevocation(lock.name())).isTrue();
        await().until(() -> told.contains("first"));
        held.onRevocationRequested(() -> told.add("second"));
        await().until(() -> told.contains("second"));
        held.close();
        held.onRevocationRequested(() -> told.add("third"));
        await().during(BRIEF).until(() -> told.size() == 2);
    }

    /** A lease that is not renewed hears, too, and lasts no longer for that. */
    @Test
    default void requestRevocation_isHeardByAFixedLease() throws Exception {
        DistributedLock lock = lock();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (Lease held = lock.acquire(LONG)) {
            Duration before = held.remaining();
            held.onRevocationRequested(() -> told.add("asked"));
            assertThat(operator().requestRevocation(lock.name())).isTrue();
            await().until(() -> told.contains("asked"));
            assertThat(held.remaining()).isLessThanOrEqualTo(before);
        }
    }

    /** In one process, one claim and several leases: a request is for the lease that holds when it arrives. */
    @Test
    default void requestRevocation_isForWhoHolds_notForWhoHeldOrWillHold() throws Exception {
        LockOptions options =
                LockOptions.builder().handOver(10, Duration.ofMinutes(1)).build();
        DistributedLock lock =
                clients().open(b -> b.lockOptions(options)).lock(clients().name());
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Lease first = lock.acquire();
        first.onRevocationRequested(() -> told.add("first"));
        Caller<Lease> next = Caller.start(lock::acquire).awaitBlocked();
        first.close();
        Lease second = next.result();
        second.onRevocationRequested(() -> told.add("second"));
        Caller<Lease> last = Caller.start(lock::acquire).awaitBlocked();

        assertThat(operator().requestRevocation(lock.name())).isTrue();

        await().until(() -> told.contains("second"));
        second.close();
        Lease third = last.result();
        third.onRevocationRequested(() -> told.add("third"));
        await().during(BRIEF).until(() -> told.size() == 1);
        assertThat(operator().requestRevocation(lock.name())).isTrue();
        await().until(() -> told.contains("third"));
        assertThat(told).containsExactly("second", "third");
        third.close();
    }

    @Test
    default void requestRevocation_isHeardByAllReaders_alsoAfterADowngrade() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        client.readWriteLock(name).writeLock().lock();
        client.readWriteLock(name).writeLock().heldLease().onRevocationRequested(() -> told.add("writer"));
        client.readWriteLock(name).readLock().lock();
        client.readWriteLock(name).readLock().heldLease().onRevocationRequested(() -> told.add("former writer"));
        client.readWriteLock(name).writeLock().unlock();
        Lease elsewhere = clients().open().readWriteLock(name).readLock().acquire();
        elsewhere.onRevocationRequested(() -> told.add("reader elsewhere"));
        Lease reader = client.readWriteLock(name).readLock().acquire();
        reader.onRevocationRequested(() -> told.add("reader"));

        assertThat(operator().requestRevocation(name)).isTrue();

        await().untilAsserted(() ->
                assertThat(told).containsExactlyInAnyOrder("former writer", "reader elsewhere", "reader"));
        reader.close();
        elsewhere.close();
        client.readWriteLock(name).readLock().unlock();
    }

    @Test
    default void requestRevocation_isHeardByACallbackThatLocks() throws Exception {
        DistributedLock lock = lock();
        DistributedLock other = elsewhere(lock);
        Lease held = lock.acquire(LeaseTerm.renewing(Duration.ofMinutes(5)));
        CountDownLatch locked = new CountDownLatch(1);
        held.onRevocationRequested(() -> {
            held.close();
            LockFixture.lockAndUnlock(lock);
            locked.countDown();
        });

        assertThat(operator().requestRevocation(lock.name())).isTrue();

        Optional<Lease> next = other.tryAcquire(Patience.limit());
        assertThat(next).isPresent();
        next.orElseThrow().close();
        assertThat(locked.await(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
    }
}
