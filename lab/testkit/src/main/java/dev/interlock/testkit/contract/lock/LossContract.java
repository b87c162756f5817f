package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockAdministration;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.Party;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fault.StoreFault;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.store.GateStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Renewing leases that are lost: who is told, when, and why (I4, I8, P01). */
interface LossContract extends LockFixture {

    /** The lease of the tests that measure: a renewal period of it, with the slack of a timer and a request. */
    Duration TTL = Duration.ofSeconds(2);

    Duration RENEWAL_PERIOD = TTL.dividedBy(3).plusMillis(50);

    /** The lease of a client that is cut off, where the loss is measured. */
    Duration CUT_OFF_TTL = Duration.ofMillis(700);

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

    /** Nobody has deleted it, and nothing proves that anybody has: its time was over when the store came to it. */
    @Test
    default void P02_leaseThatRunsOutWhileAStoreIsSlowToReleaseIt_hasExpired() {
        GateStore slow = new GateStore(clients().store());
        Interlock client = clients().open(slow, builder -> builder);
        DistributedLock lock = client.lock(clients().name());
        Lease lease = lock.tryAcquire(LeaseTerm.fixed(Duration.ofSeconds(1))).orElseThrow();
        slow.shut();
        CompletableFuture<ReleaseOutcome> release = lease.releaseAsync().toCompletableFuture();
        assertThat(slow.isWaitedFor()).isTrue();
        await().atMost(Patience.limit()).until(() -> !lock.isLocked());
        slow.open();
        assertThat(release.join()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
    }

    @Test
    default void P01_deleted_isToldByTheNextRenewal() throws Exception {
        deletedIsTold(RENEWED.length(), Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P01_deleted_isTold_withinOneRenewalPeriod() throws Exception {
        Stopwatch.measure(() -> deletedIsTold(TTL, RENEWAL_PERIOD));
    }

    private void deletedIsTold(Duration ttl, Duration limit) throws Exception {
        DistributedLock lock = lock();
        LockId id = LockId.lock(lock.name());
        StoreClient raw = intruder(id);
        Lease lease = lock.acquire(LeaseTerm.renewing(ttl));
        Claim claim = Claim.of(id, owner(lock), ttl, Party.UNKNOWN);
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);

        try (Stopwatch watch = new Stopwatch()) {
            assertThat(raw.release(claim)).isTrue();
            await().pollInterval(Duration.ofMillis(2)).until(() -> !told.isEmpty());
            watch.assertAtMost(limit, "being told of a deletion");
        }

        assertThat(told).containsExactly(LossCause.DELETED);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.DELETED));
    }

    @Test
    default void P01_taken_isToldByTheNextRenewal() throws Exception {
        takenIsTold(RENEWED.length(), Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P01_taken_isTold_withinOneRenewalPeriod() throws Exception {
        Stopwatch.measure(() -> takenIsTold(TTL, RENEWAL_PERIOD));
    }

    private void takenIsTold(Duration ttl, Duration limit) throws Exception {
        DistributedLock lock = lock();
        LockId id = LockId.lock(lock.name());
        StoreClient raw = intruder(id);
        lock.lock(LeaseTerm.renewing(ttl));
        // One request, so that no renewal can come between the deletion and the theft.
        Claim theft = raw.claim(id).replacing(owner(lock));
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        lock.heldLease().onLost(told::add);

        try (Stopwatch watch = new Stopwatch()) {
            raw.granted(theft);
            await().pollInterval(Duration.ofMillis(2)).until(() -> !told.isEmpty());
            watch.assertAtMost(limit, "being told of a theft");
        }

        assertThat(told).containsExactly(LossCause.TAKEN);
        assertThatThrownBy(lock::lock)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossCause())
                        .isEqualTo(LossCause.TAKEN));
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(raw.inspect(id).isLocked()).isTrue();
    }

    @Test
    default void P01_forced_isToldByTheNextRenewal() throws Exception {
        forcedIsTold(RENEWED.length(), Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void P01_forced_isTold_withinOneRenewalPeriod() throws Exception {
        Stopwatch.measure(() -> forcedIsTold(TTL, RENEWAL_PERIOD));
    }

    private void forcedIsTold(Duration ttl, Duration limit) throws Exception {
        DistributedLock lock = lock();
        LockAdministration operator = operator();
        Lease lease = lock.acquire(LeaseTerm.renewing(ttl));
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        assertThat(operator.inspect(lock.name())).hasSize(1);

        try (Stopwatch watch = new Stopwatch()) {
            assertThat(operator.forceUnlock(lock.name())).isTrue();
            await().pollInterval(Duration.ofMillis(2)).until(() -> !told.isEmpty());
            watch.assertAtMost(limit, "being told of force");
        }
        assertThat(told).containsExactly(LossCause.FORCED);
    }

    /** Perhaps nobody in this client knew of it before: then the answer of the store says it. */
    @Test
    default void P01_lossThatTheReleaseFinds_isThatOfTheLease() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();
        assertThat(operator().forceUnlock(lock.name())).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOfSatisfying(LockLostException.class, loss -> assertThat(loss.lossCause())
                        .isEqualTo(LossCause.FORCED));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
    }

    /** Every fault of the connection, right after an acquire: told once, and before anybody else can acquire. */
    @Test
    default void P01_cutOff_isTold_once_beforeAnotherHolds() throws Exception {
        Duration ttl = Duration.ofSeconds(5);
        List<Caller<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < faultyStore().faults().size(); i++) {
            int which = i;
            all.add(Caller.startAction(() -> {
                FaultyStore faulty = faultyStore();
                Interlock client = openCutOff(faulty);
                StoreFault fault = faulty.faults().get(which);
                // On a machine that stands still until the end of the lease no renewal fails: once more.
                await().pollInSameThread()
                        .until(() -> cutOff(client, fault, ttl, Patience.limit()) != LossCause.PAUSED);
            }));
        }
        all.forEach(Caller::result);
    }

    /** And by its deadline. */
    @Tag(Effort.TIMING)
    @Test
    default void P01_cutOff_isTold_byTheDeadline() throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = openCutOff(faulty);
        for (StoreFault fault : faulty.faults()) {
            assertThat(cutOff(client, fault, CUT_OFF_TTL, CUT_OFF_TTL.plusMillis(50)))
                    .isEqualTo(LossCause.STORE_UNREACHABLE);
        }
    }

    private Interlock openCutOff(FaultyStore faulty) {
        return clients().open(faulty.store(), b -> b.attemptTimeout(Duration.ofMillis(300))
                .closeTimeout(Duration.ofMillis(300)));
    }

    /** Returns the cause of the loss. */
    private LossCause cutOff(Interlock client, StoreFault fault, Duration ttl, Duration limit)
            throws InterruptedException {
        DistributedLock lock = client.lock(clients().name());
        DistributedLock other = elsewhere(lock);
        Lease lease = lock.acquire(LeaseTerm.renewing(ttl));
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
            watch.assertAtMost(limit, "the loss under " + fault.name());
        }
        await("proof that " + fault.name() + " was there").until(() -> fault.hits() > hits);
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
        assertThat(next.result().token()).isGreaterThan(lease.token());
        fault.heal();
        // Nothing revives it when the store is back, and nobody is told twice.
        await().during(BRIEF).until(() -> !lease.isValid() && told.size() == 1);
        LossCause cause = told.remove();
        assertThat(cause).isIn(LossCause.STORE_UNREACHABLE, LossCause.PAUSED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(cause));
        next.result().close();
        return cause;
    }

    /** The control: without a fault the same lease is renewed. */
    @Test
    default void P01_control_withoutAFault_isNotLost() throws Exception {
        FaultyStore faulty = faultyStore();
        DistributedLock lock =
                clients().open(faulty.store(), b -> b).lock(clients().name());
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        try (Lease lease = lock.acquire(RENEWED)) {
            lease.onLost(told::add);
            LockFixture.awaitRenewal(lease);
            assertThat(told).isEmpty();
        }
        assertThat(faulty.blackHole().hits()).isZero();
    }
}
