package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.Party;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Renewing leases that are lost: who is told, when, and why (I4, I8, P01). */
interface LossContract extends LockFixture {

    Duration TTL = Duration.ofSeconds(2);

    /** The lease of a client that is cut off. */
    Duration CUT_OFF_TTL = Duration.ofMillis(700);

    /** One renewal period, and the slack of a timer and a request. */
    Duration RENEWAL_PERIOD = TTL.dividedBy(3).plusMillis(50);

    /** The owner id of the holder. */
    private static OwnerId owner(DistributedLock lock) {
        return new OwnerId(lock.inspect().holders().get(0).owner());
    }

    /** A bare client that has connected already: what it does to a claim takes one round trip. */
    private StoreClient intruder(LockId id) {
        StoreClient raw = clients().raw();
        raw.inspect(id);
        return raw;
    }

    @Test
    default void P01_deleted_isTold_withinOneRenewalPeriod() throws Exception {
        Stopwatch.measure(this::deletedIsTold);
    }

    private void deletedIsTold() throws Exception {
        DistributedLock lock = lock();
        LockId id = LockId.lock(lock.name());
        StoreClient raw = intruder(id);
        Lease lease = lock.acquire(LeaseTerm.renewing(TTL));
        Claim claim = Claim.of(id, owner(lock), TTL, Party.UNKNOWN);
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);

        try (Stopwatch watch = new Stopwatch()) {
            assertThat(raw.release(claim)).isTrue();
            await().pollInterval(Duration.ofMillis(2)).until(() -> !told.isEmpty());
            watch.assertAtMost(RENEWAL_PERIOD, "being told of a deletion");
        }

        assertThat(told).containsExactly(LossCause.DELETED);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.DELETED));
    }

    @Test
    default void P01_taken_isTold_withinOneRenewalPeriod() throws Exception {
        Stopwatch.measure(this::takenIsTold);
    }

    private void takenIsTold() throws Exception {
        DistributedLock lock = lock();
        LockId id = LockId.lock(lock.name());
        StoreClient raw = intruder(id);
        lock.lock(LeaseTerm.renewing(TTL));
        // One request, so that no renewal can come between the deletion and the theft.
        Claim theft = raw.claim(id).replacing(owner(lock));
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        lock.heldLease().onLost(told::add);

        try (Stopwatch watch = new Stopwatch()) {
            raw.granted(theft);
            await().pollInterval(Duration.ofMillis(2)).until(() -> !told.isEmpty());
            watch.assertAtMost(RENEWAL_PERIOD, "being told of a theft");
        }

        assertThat(told).containsExactly(LossCause.TAKEN);
        assertThatThrownBy(lock::lock)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossCause())
                        .isEqualTo(LossCause.TAKEN));
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(raw.inspect(id).isLocked()).isTrue();
    }

    @Test
    default void P01_forced_isTold_withinOneRenewalPeriod() throws Exception {
        Stopwatch.measure(this::forcedIsTold);
    }

    private void forcedIsTold() throws Exception {
        DistributedLock lock = lock();
        DistributedLock operator = elsewhere(lock);
        Lease lease = lock.acquire(LeaseTerm.renewing(TTL));
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        assertThat(operator.isLocked()).isTrue();

        try (Stopwatch watch = new Stopwatch()) {
            assertThat(operator.forceUnlock()).isTrue();
            await().pollInterval(Duration.ofMillis(2)).until(() -> !told.isEmpty());
            watch.assertAtMost(RENEWAL_PERIOD, "being told of force");
        }
        assertThat(told).containsExactly(LossCause.FORCED);
    }

    @Test
    default void P01_forcedInThisProcess_isToldAtOnce() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();

        assertThat(lock.forceUnlock()).isTrue();

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
    }

    /**
     * Every fault of the connection, right after an acquire: told once, by the deadline, and before anybody else can
     * acquire.
     */
    @Test
    default void P01_cutOff_isTold_once_byTheDeadline_beforeAnotherHolds() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = clients().open(faulty.store(), b -> b.attemptTimeout(Duration.ofMillis(300))
                .closeTimeout(Duration.ofMillis(300)));
        for (StoreFault fault : faulty.faults()) {
            cutOff(client.lock(clients().name()), fault);
        }
    }

    private void cutOff(DistributedLock lock, StoreFault fault) throws InterruptedException {
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LeaseTerm.renewing(CUT_OFF_TTL));
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        long hits = fault.hits();
        fault.strike();
        Caller<Lease> next = Caller.start(() -> {
            Lease taken = other.acquire(LONG);
            assertThat(lease.isValid())
                    .as("first lease, after the second is granted")
                    .isFalse();
            return taken;
        });
        try (Stopwatch watch = new Stopwatch()) {
            // An answer to a renewal may have been on its way when the fault struck.
            await().pollInterval(Duration.ofMillis(1)).until(() -> !told.isEmpty());
            watch.assertAtMost(CUT_OFF_TTL.plusMillis(50), "the loss under " + fault.name());
        }
        assertThat(fault.hits()).as("proof that %s was there", fault.name()).isGreaterThan(hits);
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
        assertThat(next.result().token()).isGreaterThan(lease.token());
        fault.heal();
        // Nothing revives it when the store is back, and nobody is told twice.
        await().during(CUT_OFF_TTL.dividedBy(2)).until(() -> !lease.isValid() && told.size() == 1);
        assertThat(told).containsExactly(LossCause.STORE_UNREACHABLE);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.STORE_UNREACHABLE));
        next.result().close();
    }

    /** The control: without a fault the same lease is not lost. */
    @Test
    default void P01_control_withoutAFault_isNotLost() throws Exception {
        FaultyStore faulty = faultyStore();
        DistributedLock lock =
                clients().open(faulty.store(), b -> b).lock(clients().name());
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        // Longer than a busy machine keeps a renewal waiting.
        Duration ttl = Duration.ofMillis(1500);
        try (Lease lease = lock.acquire(LeaseTerm.renewing(ttl))) {
            lease.onLost(told::add);
            await().during(ttl.multipliedBy(2)).until(() -> lease.isValid() && told.isEmpty());
        }
        assertThat(faulty.blackHole().hits()).isZero();
    }
}
