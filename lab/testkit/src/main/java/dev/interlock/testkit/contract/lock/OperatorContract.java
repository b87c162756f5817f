package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.WakeWatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What people see and do who look after locks: inspect, list, ask, force. */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface OperatorContract extends LockFixture {

    @Test
    default void P30_inspect_tellsWhoHolds_sinceWhen_andWhoWaits() throws Exception {
        Interlock client = clients().open(b -> b.application("accounts"));
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other = clients().open(b -> b.application("reports")).lock(lock.name());
        Thread.currentThread().setName("the-holder");
        lock.lock(LONG);
        Caller<Boolean> waiting = Caller.start(() -> {
            Thread.currentThread().setName("the-waiter");
            return other.tryLock(Patience.limit());
        });

        LockStatus status = await().until(other::inspect, this::tellsWhoWaits);

        assertThat(status.name()).isEqualTo(lock.name());
        LockStatus.Holder holder = status.holders().get(0);
        assertThat(holder.party().pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(holder.party().host()).isEqualTo(hostName());
        assertThat(holder.party().application()).isEqualTo("accounts");
        assertThat(holder.party().thread()).isEqualTo("the-holder");
        assertThat(holder.token()).isEqualTo(lock.heldLease().token());
        assertThat(holder.remainingLease()).isBetween(Duration.ofMinutes(4), LONG.length());
        assertThat(holder.heldFor()).isBetween(Duration.ZERO, Patience.limit());
        if (storeListsWaiters()) {
            LockStatus.Waiter waiter = status.waiters().get(0);
            assertThat(waiter.party().application()).isEqualTo("reports");
            assertThat(waiter.party().thread()).isEqualTo("the-waiter");
            assertThat(waiter.waitingFor()).isBetween(Duration.ZERO, Patience.limit());
        }
        lock.unlock();
        assertThat(waiting.result()).isTrue();
    }

    /** Whether somebody waits, or the store lists nobody who does. */
    private boolean tellsWhoWaits(LockStatus status) {
        return !storeListsWaiters() || !status.waiters().isEmpty();
    }

    /** What the system says of itself to people. */
    private static String hostName() throws IOException {
        try (BufferedReader told = new ProcessBuilder("uname", "-n").start().inputReader()) {
            return told.readLine();
        }
    }

    @Test
    default void list_isOfHeldLocks_withThePrefix() throws Exception {
        Interlock client = clients().open();
        String base = clients().name();
        String prefix = base + "%_*[";
        try (Lease decoy = client.lock(base + "xyz[a").acquire();
                Lease b = client.lock(prefix + "b").acquire();
                Lease a = client.lock(prefix + "a").acquire()) {
            client.lock(prefix + "c").acquire().close();
            assertThat(client.administration().list(prefix, 10))
                    .extracting(LockStatus::name)
                    .containsExactly(a.name(), b.name());
            assertThat(client.administration().list(base, 10))
                    .extracting(LockStatus::name)
                    .contains(decoy.name(), b.name());
            assertThat(client.administration().list(prefix, 1))
                    .extracting(LockStatus::name)
                    .containsExactly(a.name());
        }
        assertThat(client.administration().list(prefix, 10)).isEmpty();
        assertThatThrownBy(() -> client.administration().list("", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void requestRevocation_isRefused_whereTheStoreCannotAsk() throws Exception {
        DistributedLock lock = lock();
        try (Lease held = lock.acquire(LONG)) {
            // Where nobody can ask this is never called, and does no harm.
            held.onRevocationRequested(held::close);
            if (!storeAsks()) {
                assertThatThrownBy(() -> operator().requestRevocation(lock.name()))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("name=" + lock.name());
            }
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    default void forceUnlock_letsTheNextIn() throws Exception {
        DistributedLock lock = lock();
        DistributedLock waiter = elsewhere(lock);
        Lease first = lock.acquire(LONG);
        Caller<Lease> waiting = Caller.start(() -> waiter.acquire(LONG)).awaitBlocked();

        assertThat(operator().forceUnlock(lock.name())).isTrue();

        try (Lease next = waiting.result()) {
            assertThat(next.token()).isGreaterThan(first.token());
            // The late release of the first one does not touch the next.
            assertThat(first.release().isLost()).isTrue();
            assertThat(next.isValid()).isTrue();
            assertThat(waiter.isLocked()).isTrue();
        }
    }

    /**
     * Callers behind a lease of their own client are not in the store: nothing lets them in but that their client hears
     * of the end of the lease, by a message of the store or by the next renewal. It comes after 20 minutes where the
     * store sends one.
     */
    @Test
    default void forceUnlock_letsInWhoWaitsBehindTheHolderInItsClient() throws Exception {
        LockOptions options = LockOptions.builder()
                .lease(storeTellsForce() ? LeaseTerm.renewing(Duration.ofHours(1)) : RENEWED)
                .build();
        WakeWatch wakes = new WakeWatch(clients().store());
        DistributedLock lock =
                clients().open(wakes, builder -> builder).lock(clients().name(), options);
        DistributedLock other = clients().open().lock(lock.name(), options);
        Lease held = afterWaitingFor(other, lock);
        while (storeTellsForce() && !wakes.wasWoken()) {
            // It has come by a poll, because it did not listen yet.
            held.close();
            held = afterWaitingFor(other, lock);
        }
        Caller<Lease> next = Caller.start(lock::acquire).awaitBlocked();

        assertThat(operator().forceUnlock(lock.name())).isTrue();

        try (Lease after = next.result()) {
            assertThat(after.isValid()).isTrue();
            assertThat(after.token()).isGreaterThan(held.token());
        }
        assertThat(held.isValid()).isFalse();
        assertThat(held.release().lossCause()).isEqualTo(LossCause.FORCED);
    }

    /** A lease of a client that has had to wait for it in the store. */
    private Lease afterWaitingFor(DistributedLock other, DistributedLock lock) throws Exception {
        Lease first = other.acquire();
        Caller<Lease> waiting = Caller.start(lock::acquire).awaitBlocked();
        await().until(other::inspect, this::tellsWhoWaits);
        first.close();
        return waiting.result();
    }
}
