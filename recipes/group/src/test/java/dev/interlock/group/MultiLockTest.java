package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.WorkLease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several locks as one. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its locks to its client
class MultiLockTest {

    private static final Duration BRIEF = Duration.ofMillis(150);

    private final MemoryStore memory = new MemoryStore();
    private final SwitchableStore switchable = new SwitchableStore(memory.session());
    private final Interlock client = Interlock.builder(memory.session()).build();
    private final Interlock other = Interlock.builder(memory.session()).build();
    private final Interlock sick = Interlock.builder(switchable)
            .attemptTimeout(Duration.ofMillis(300))
            .closeTimeout(Duration.ofMillis(100))
            .build();
    private final DistributedLock abc = MultiLock.of(client.lock("c"), client.lock("a"), client.lock("b"));

    @AfterEach
    void close() {
        sick.close();
        other.close();
        client.close();
        memory.close();
    }

    /** What it cannot end it does not give away, of no member. */
    @Test
    void P27_closingInABody_keepsAllMembers_untilItEnds() {
        abc.run(() -> {
            client.close();
            for (String name : List.of("a", "b", "c")) {
                assertThat(other.lock(name).tryAcquire()).as(name).isEmpty();
            }
        });
        assertFree("a", "b", "c");
    }

    /** Whoever gets no work would take what it is told for the end of one. */
    @Test
    void workThatCannotBegin_isToldOfNoEnd() {
        List<LossCause> told = new ArrayList<>();
        WorkLease held = (WorkLease)
                MultiLock.of(client.lock("a"), other.lock("b")).tryAcquire().orElseThrow();
        other.close();

        assertThat(held.begin(WorkLease.Place.THIS_THREAD, told::add)).isNull();

        held.close();
        assertThat(told).isEmpty();
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(5));
    }

    private void assertFree(String... names) {
        await().untilAsserted(() -> {
            for (String name : names) {
                assertThat(other.lock(name).inspect().holders()).as(name).isEmpty();
                assertThat(other.lock(name).inspect().waiters()).as(name).isEmpty();
            }
        });
    }

    @Test
    void aRequestForOneMember_isOneForAll_andToldOnce() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Lease held = abc.acquire();
        held.onRevocationRequested(() -> told.add("asked"));
        assertThat(other.administration().requestRevocation("b")).isTrue();
        await().until(() -> told.size() == 1);
        assertThat(other.administration().requestRevocation("a")).isTrue();
        assertThat(other.administration().requestRevocation("c")).isTrue();
        held.onRevocationRequested(() -> told.add("late"));
        await().until(() -> told.contains("late"));
        assertThat(told).containsExactly("asked", "late");
        held.close();
        assertThat(List.of("a", "b", "c")).noneMatch(other.administration()::requestRevocation);
    }

    /** What was held was released by the closing. */
    @Test
    void P27_afterTheClosing_unlockDoesNothing() {
        abc.lock();
        abc.lock();
        Lease held = abc.heldLease();

        client.close();

        assertThat(held.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
        abc.unlock();
        abc.unlock();
        assertThat(abc.holdCount()).isZero();
    }

    @Test
    void theLockForm_holdsAll_countsForTheThread_andReleasesAll() {
        abc.lock();
        assertThat(abc.tryLock()).isTrue();
        abc.lock(LeaseTerm.fixed(Duration.ofSeconds(1)));
        assertThat(abc.holdCount()).isEqualTo(3);
        assertThat(abc.isHeldByCurrentThread()).isTrue();
        assertThat(abc.remainingLease()).isGreaterThan(Duration.ofSeconds(1));
        assertThat(List.of("a", "b", "c")).allMatch(name -> other.lock(name).isLocked());
        assertThat(Caller.test(() -> abc.isHeldByCurrentThread() || abc.tryLock() || abc.tryLock(BRIEF)))
                .isFalse();
        assertThat(Caller.start(() -> {
                            abc.unlock();
                            return true;
                        })
                        .failure())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("['a', 'b', 'c']");
        abc.unlock();
        abc.unlock();
        assertThat(other.lock("a").isLocked()).isTrue();
        abc.unlock();
        assertThat(abc.holdCount()).isZero();
        assertFree("a", "b", "c");
        assertThatThrownBy(abc::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void handle_hasTheTokenOfEachMember_andTheLargestForAll() throws Exception {
        Lease first = abc.acquire();
        assertThat(List.of(first.token("a"), first.token("b"), first.token("c")))
                .doesNotHaveDuplicates()
                .contains(first.token())
                .allMatch(token -> token <= first.token());
        assertThat(first.token(abc.name())).isEqualTo(first.token());
        assertThat(first.toString()).contains(abc.name(), "valid=true");
        assertThatThrownBy(() -> first.token("d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'d'");
        assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(first.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
        assertThat(first.isValid()).isFalse();
        assertThat(first.remaining()).isZero();
        assertThatThrownBy(first::ensureValid).isInstanceOf(IllegalStateException.class);
        try (Lease second = abc.acquireAsync().toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS)) {
            assertThat(second.token()).isGreaterThan(first.token());
            assertThat(second.token("a")).isGreaterThan(first.token("a"));
        }
        assertFree("a", "b", "c");
    }

    @Test
    void aPlainLease_hasTheTokenOfItsOwnName() throws Exception {
        try (Lease lease = client.lock("a").acquire()) {
            assertThat(lease.token("a")).isEqualTo(lease.token());
            assertThatThrownBy(() -> lease.token("b"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'b'");
        }
    }

    @Test
    void allOrNothing_whateverTheFormThatAsks() throws Exception {
        Lease held = other.lock("b").acquire();
        assertThat(abc.tryLock()).isFalse();
        assertFree("a", "c");
        assertThat(abc.tryAcquire()).isEmpty();
        assertThat(abc.tryLock(Duration.ZERO)).isFalse();
        assertThat(abc.tryLock(BRIEF, LeaseTerm.fixed(Patience.limit()))).isFalse();
        assertThat(abc.tryAcquireAsync(BRIEF).toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS))
                .isEmpty();
        assertFree("a", "c");
        held.close();
        assertThat(abc.tryLock()).isTrue();
        abc.unlock();
    }

    private interface Form {
        Optional<Lease> of(DistributedLock lock) throws Exception;
    }

    /**
     * Takes a lease in each form that does not wait for long; those of a thread show the lease that the thread holds.
     */
    private static List<Form> forms(LeaseTerm term) {
        return List.of(
                lock -> held(lock, lock.tryLock(term)),
                lock -> held(lock, lock.tryLock(1, TimeUnit.MILLISECONDS)),
                lock -> held(lock, lock.tryLock(Duration.ofMillis(1), term)),
                lock -> lock.tryAcquire(term),
                lock -> lock.tryAcquire(Duration.ofMillis(1)),
                lock -> lock.tryAcquire(Duration.ofMillis(1), term),
                lock -> result(lock.tryAcquireAsync()),
                lock -> result(lock.tryAcquireAsync(term)),
                lock -> result(lock.tryAcquireAsync(Duration.ofMillis(1))),
                lock -> result(lock.tryAcquireAsync(Duration.ofMillis(1), term)));
    }

    private static Optional<Lease> held(DistributedLock lock, boolean locked) {
        return locked ? Optional.of(lock.heldLease()) : Optional.empty();
    }

    private static <T> T result(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void eachForm_holdsAllOrNothing_forItsTerm() throws Exception {
        LeaseTerm term = LeaseTerm.fixed(Duration.ofHours(1));
        // The forms without a term have the lock's own, which is half a minute.
        List<Integer> ownTerm = List.of(1, 4, 6, 8);
        List<Form> forms = forms(term);
        for (int i = 0; i < forms.size(); i++) {
            try (Lease busy = other.lock("b").acquire()) {
                assertThat(forms.get(i).of(abc))
                        .as("form %s, while 'b' is busy", i)
                        .isEmpty();
                assertThat(busy.isValid()).isTrue();
            }
            assertFree("a", "b", "c");
            int form = i;
            // A member that answers late is refused in a wait of a millisecond.
            Lease lease = Patience.inTime(() -> forms.get(form).of(abc));
            assertThat(List.of("a", "b", "c")).allMatch(name -> other.lock(name).isLocked());
            assertThat(lease.remaining().compareTo(Duration.ofMinutes(30)) < 0)
                    .as("form %s has the lock's own term", i)
                    .isEqualTo(ownTerm.contains(i));
            if (abc.isHeldByCurrentThread()) {
                abc.unlock();
            } else {
                lease.close();
            }
            assertFree("a", "b", "c");
        }
    }

    private interface Entry {
        void enter(DistributedLock lock) throws Exception;
    }

    @Test
    void formsThatWait_holdAll_andCountForTheirThread() throws Exception {
        LeaseTerm term = LeaseTerm.fixed(Patience.limit());
        List<Entry> entries = List.of(
                DistributedLock::lock,
                lock -> lock.lock(term),
                DistributedLock::lockInterruptibly,
                lock -> lock.lockInterruptibly(term),
                lock -> assertThat(lock.tryLock(Patience.limit())).isTrue(),
                lock -> assertThat(lock.tryLock(Patience.limit(), term)).isTrue());
        for (Entry entry : entries) {
            for (int holds = 1; holds <= 2; holds++) {
                entry.enter(abc);
                assertThat(abc.holdCount()).isEqualTo(holds);
            }
            abc.unlock();
            abc.unlock();
            assertFree("a", "b", "c");
        }
        try (Lease lease = abc.acquire(term)) {
            assertThat(lease.isValid()).isTrue();
            assertThat(abc.holdCount()).isZero();
        }
        assertThat(abc.toString()).contains("['a', 'b', 'c']");
    }

    @Test
    void interruptedBefore_formsThatWait_throw_andHoldNothing() {
        List<Entry> entries = List.of(
                DistributedLock::lockInterruptibly,
                lock -> lock.tryLock(Patience.limit()),
                lock -> lock.tryLock(1, TimeUnit.MINUTES),
                lock -> lock.acquire(),
                lock -> lock.tryAcquire(Patience.limit()));
        for (Entry entry : entries) {
            assertThat(Caller.startAction(() -> {
                                Thread.currentThread().interrupt();
                                entry.enter(abc);
                            })
                            .failure())
                    .isInstanceOf(InterruptedException.class);
            assertFree("a", "b", "c");
        }
    }

    @Test
    void threadThatHoldsAPart_doesNotHoldTheWhole() {
        client.lock("a").lock();
        for (Entry entry : List.<Entry>of(
                DistributedLock::unlock, DistributedLock::heldLease, lock -> lock.lapse(Duration.ofHours(1)))) {
            assertThatThrownBy(() -> entry.enter(abc))
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("['a', 'b', 'c']");
        }
        assertThat(abc.remainingLease()).isZero();
        assertThat(client.lock("a").holdCount()).isOne();
        client.lock("a").unlock();
        assertFree("a");
    }

    @Test
    void whatIsWaitedFor_isHeldUpFromBehindOnly() throws Exception {
        Lease b = other.lock("b").acquire();
        Caller<Boolean> waiting = Caller.start(() -> {
            abc.run(() -> {});
            return true;
        });
        await().until(() -> other.lock("b").inspect().waiters().size() == 1);
        // What is before b is held, and what is behind it free: nobody who waits for b holds c.
        assertThat(other.lock("a").isLocked()).isTrue();
        assertFree("c");
        b.close();
        assertThat(waiting.result()).isTrue();
        assertFree("a", "b", "c");
    }

    /** The time of a lease counts once, in its own unit, and anew from when all are held. */
    @Test
    void P18_aFixedTerm_isAsLongAsItWasAskedFor_afterAWaitToo() throws Exception {
        Duration length = Duration.ofHours(1);
        try (Lease lease = acquiredAfterAWaitFor("c", length)) {
            assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(length);
            assertThat(List.of("a", "b", "c"))
                    .allMatch(name -> remainingLease(name).compareTo(length) <= 0);
            lease.extend(length.multipliedBy(2));
            assertThat(lease.remaining()).isBetween(length, length.multipliedBy(2));
        }
    }

    @Test
    void P18_fixedTerm_beginsAnew_alsoForAMemberAskedAfterTheWait() throws Exception {
        acquiredAfterAWaitFor("b", Duration.ofHours(1)).close();
    }

    /** A lease of all whose term has begun anew after the wait for a busy member. */
    private Lease acquiredAfterAWaitFor(String busy, Duration length) throws Exception {
        Lease first = other.lock(busy).acquire();
        CompletableFuture<Lease> soon =
                abc.acquireAsync(LeaseTerm.fixed(length)).toCompletableFuture();
        await().until(() -> other.lock(busy).inspect().waiters().size() == 1);
        // Long enough to be told from the pauses of the machine, which make the test see less, and never fail.
        await().until(() -> remainingLease("a").compareTo(length.minusMillis(200)) < 0);
        long waitedNanos = System.nanoTime();
        first.close();
        Lease lease = soon.get(Patience.seconds(), TimeUnit.SECONDS);
        long remainingNanos = remainingLease("a").toNanos();
        long sinceNanos = System.nanoTime() - waitedNanos;
        assertThat(Duration.ofNanos(sinceNanos + remainingNanos)).isGreaterThan(length.minusMillis(10));
        return lease;
    }

    private Duration remainingLease(String name) {
        return other.lock(name).inspect().holders().get(0).remainingLease();
    }

    /** A fixed lease that ends while another member is waited for is got again. */
    @Test
    void aLeaseThatEndsDuringTheWait_isNotPartOfTheResult() throws Exception {
        Lease c = other.lock("c").acquire();
        CompletableFuture<Lease> soon =
                abc.acquireAsync(LeaseTerm.fixed(Duration.ofMillis(300))).toCompletableFuture();
        await().until(() -> other.lock("c").inspect().waiters().size() == 1);
        assertFree("a", "b");
        c.close();
        assertThat(soon.get(Patience.seconds(), TimeUnit.SECONDS).release().status())
                .isNotNull();
        assertFree("a", "b", "c");
    }

    @Test
    void P18_interrupts_endTheWait_orAreKept() throws Exception {
        interrupts(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P18_interruptedWait_endsSoon() throws Exception {
        interrupts(Duration.ofMillis(100));
    }

    private void interrupts(Duration limit) throws Exception {
        Lease c = other.lock("c").acquire();
        Caller<Boolean> interruptible =
                Caller.startAction(abc::lockInterruptibly).awaitBlocked();
        await().until(() -> other.lock("c").inspect().waiters().size() == 1);
        try (Stopwatch watch = new Stopwatch()) {
            interruptible.interrupt();
            assertThat(interruptible.failure()).isInstanceOf(InterruptedException.class);
            watch.assertAtMost(limit, "the return of an interrupted caller");
        }
        assertFree("a", "b");

        Caller<Boolean> patient = Caller.start(() -> {
            abc.lock();
            abc.unlock();
            return Thread.interrupted();
        });
        await().until(() -> other.lock("c").inspect().waiters().size() == 1);
        patient.interrupt();
        c.close();
        assertThat(patient.result()).as("interrupted afterwards").isTrue();
        assertFree("a", "b", "c");
    }

    @Test
    void interruptedBefore_interruptibleFormsThrow_othersDoNotLook() {
        assertThat(Caller.start(() -> {
                            Thread.currentThread().interrupt();
                            return abc.acquire();
                        })
                        .failure())
                .isInstanceOf(InterruptedException.class);
        assertThat(Caller.test(() -> {
                    Thread.currentThread().interrupt();
                    return ReleaseOutcome.RELEASED.equals(
                                    abc.tryAcquire().orElseThrow().release())
                            && Thread.interrupted();
                }))
                .isTrue();
        assertFree("a", "b", "c");
    }

    @Test
    void aCancelledFuture_leavesNothing() throws Exception {
        Lease c = other.lock("c").acquire();
        CompletableFuture<Lease> soon = abc.acquireAsync().toCompletableFuture();
        await().until(() -> other.lock("c").inspect().waiters().size() == 1);
        soon.cancel(false);
        assertFree("a", "b");
        c.close();
        assertFree("a", "b", "c");
    }

    @Test
    void theFirstLossOfAMember_isTheLossOfAll_toldOnce() throws Exception {
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        abc.lock();
        Lease lease = abc.heldLease();
        lease.onLost(told::add);
        client.administration().forceUnlock("b");
        client.administration().forceUnlock("c");
        await().untilAsserted(() -> assertThat(told).containsExactly(LossCause.FORCED));
        assertThat(lease.isValid()).isFalse();
        assertThat(abc.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(abc::lock).isInstanceOf(LockLostException.class).hasMessageContaining("'b'");
        assertThat(other.lock("a").isLocked()).as("the rest stays held").isTrue();
        assertThatThrownBy(abc::unlock).isInstanceOf(LockLostException.class).hasMessageContaining("'b'");
        assertThat(lease.release().lossCause()).isEqualTo(LossCause.FORCED);
        assertFree("a", "b", "c");
        assertThat(told).hasSize(1);
        Queue<LossCause> late = new ConcurrentLinkedQueue<>();
        lease.onLost(late::add);
        await().untilAsserted(() -> assertThat(late).hasSize(1));
    }

    @Test
    void extend_ofALostLease_changesNoMember() throws Exception {
        Duration length = Duration.ofMinutes(5);
        Lease lease = abc.acquire(LeaseTerm.fixed(length));
        assertThat(client.administration().forceUnlock("c")).isTrue();
        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1)))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'c'");
        assertThat(List.of("a", "b")).allMatch(name -> remainingLease(name).compareTo(length) <= 0);
        assertThat(lease.release().lossCause()).isEqualTo(LossCause.FORCED);
    }

    @Test
    void P10_extend_ofAMemberWhoseStoreIsSilent_saysSo() throws Exception {
        try (Lease lease = MultiLock.of(client.lock("a"), sick.lock("m")).acquire(LeaseTerm.fixed(Patience.limit()))) {
            switchable.mode(SwitchableStore.Mode.SILENT);
            assertThatThrownBy(() -> lease.extend(Patience.limit())).isInstanceOf(StoreUnavailableException.class);
            assertThat(switchable.struck()).isPositive();
            switchable.mode(SwitchableStore.Mode.HEALTHY);
        }
        assertFree("a", "m");
    }

    @Test
    void P01_lossThatTheReleaseFinds_isThatOfTheLease() throws Exception {
        Lease lease = abc.acquire();
        assertThat(other.administration().forceUnlock("b")).isTrue();
        assertThat(lease.release().lossCause()).isEqualTo(LossCause.FORCED);
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'b'");
        assertFree("a", "b", "c");
    }

    @Test
    void aReleaseIsNoLoss() throws Exception {
        Queue<LossCause> told = Patience.inTime(() -> {
            Queue<LossCause> byRelease = new ConcurrentLinkedQueue<>();
            Lease lease = abc.acquire(LeaseTerm.renewing(Duration.ofMillis(200)));
            lease.onLost(byRelease::add);
            return lease.release().isLost() ? Optional.empty() : Optional.of(byRelease);
        });
        await().during(BRIEF.multipliedBy(3)).until(told::isEmpty);
    }

    /** One store that does not answer keeps nobody from the locks in the others. */
    @Test
    void P18_unlock_releasesAll_ifOneFails() throws Exception {
        DistributedLock mixed = MultiLock.of(client.lock("z"), sick.lock("m"), client.lock("a"));
        mixed.lock();
        switchable.mode(SwitchableStore.Mode.SILENT);
        mixed.unlock();
        assertThat(switchable.struck()).isPositive();
        assertThat(other.lock("a").isLocked() || other.lock("z").isLocked()).isFalse();
        assertThat(other.lock("m").isLocked()).as("not confirmed yet").isTrue();
        switchable.mode(SwitchableStore.Mode.HEALTHY);
        assertFree("a", "m", "z");
    }

    @Test
    void P10_aSilentStoreOfAMember_endsTheWait_andNothingIsHeld() throws Exception {
        silentStore(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void P10_aSilentStoreOfAMember_endsTheWaitInTime() throws Exception {
        // The store's answer is waited for as long as its client waits for one: 300 ms.
        silentStore(Duration.ofMillis(350));
    }

    private void silentStore(Duration slack) throws Exception {
        DistributedLock mixed = MultiLock.of(client.lock("z"), sick.lock("m"), client.lock("a"));
        switchable.mode(SwitchableStore.Mode.SILENT);
        // The longest first: afterwards the store counts as silent for the shorter ones, too.
        for (Duration wait : List.of(Duration.ofMillis(500), Duration.ZERO, Duration.ofMillis(50))) {
            try (Stopwatch watch = new Stopwatch()) {
                assertThatThrownBy(() -> mixed.tryLock(wait), "a wait of %s", wait)
                        .isInstanceOf(StoreUnavailableException.class);
                watch.assertAtMost(wait.plus(slack), "a wait of " + wait);
            }
            assertFree("a", "z");
            assertThatThrownBy(() -> mixed.tryAcquireAsync(wait, LeaseTerm.renewing())
                            .toCompletableFuture()
                            .get(Patience.seconds(), TimeUnit.SECONDS))
                    .as("%s", wait)
                    .hasCauseInstanceOf(StoreUnavailableException.class);
            assertFree("a", "z");
        }
        assertThatThrownBy(mixed::tryLock).isInstanceOf(StoreUnavailableException.class);
        assertThat(switchable.struck()).isPositive();
        switchable.mode(SwitchableStore.Mode.HEALTHY);
        assertThat(mixed.tryLock(Patience.limit())).isTrue();
        mixed.unlock();
        assertFree("a", "m", "z");
    }

    /** A wait bounds the time in the line: however short it is, the store is silent only after its own time. */
    @Test
    void P10_aShortWait_isNotTheSilenceOfTheStore() throws Exception {
        SwitchableStore late = new SwitchableStore(memory.session());
        try (Interlock patient = Interlock.builder(late)
                .attemptTimeout(Duration.ofMillis(400))
                .closeTimeout(Duration.ofMillis(100))
                .build()) {
            DistributedLock mixed = MultiLock.of(client.lock("z"), patient.lock("m"), client.lock("a"));
            late.mode(SwitchableStore.Mode.SILENT);
            for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(5))) {
                assertThatThrownBy(() -> mixed.tryLock(wait), "a wait of %s", wait)
                        .isInstanceOf(StoreUnavailableException.class);
                assertFree("a", "z");
            }
            late.mode(SwitchableStore.Mode.HEALTHY);
        }
    }

    @Test
    void theTimeThatIsAskedFor_isTheTimeOfAll() throws Exception {
        timeOfAll(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void theTimeThatIsAskedFor_isNotExceeded() throws Exception {
        timeOfAll(Duration.ofMillis(50));
    }

    private void timeOfAll(Duration slack) throws Exception {
        Lease b = other.lock("b").acquire();
        Lease c = other.lock("c").acquire();
        try (Stopwatch watch = new Stopwatch()) {
            assertThat(abc.tryLock(Duration.ofMillis(400))).isFalse();
            assertThat(watch.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(400));
            watch.assertAtMost(slack.plusMillis(400), "a wait of 400 ms");
        }
        b.close();
        c.close();
    }

    @Test
    void aClosedClient_saysSo() {
        DistributedLock mixed = MultiLock.of(client.lock("a"), sick.lock("m"));
        sick.close();
        assertThatThrownBy(mixed::lock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(mixed::acquire).isInstanceOf(IllegalStateException.class);
        assertFree("a");
    }

    @Test
    void lookingOn_speaksOfAllMembers() throws Exception {
        assertThat(abc.isLocked()).isFalse();
        Lease b = other.lock("b").acquire();
        assertThat(abc.isLocked()).isTrue();
        assertThat(abc.inspect().holders()).hasSize(1);
        assertThat(List.of("a", "b", "c"))
                .filteredOn(client.administration()::forceUnlock)
                .containsExactly("b");
        assertThat(abc.isLocked()).isFalse();
        assertThat(b.release().isLost()).isTrue();
    }

    @Test
    void wrongMembers_areNamed() {
        assertThatThrownBy(() -> MultiLock.of())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one");
        assertThatThrownBy(() -> MultiLock.of(client.lock("a"), client.lock("b"), client.lock("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a' comes twice");
        assertThatThrownBy(() -> MultiLock.of(abc, other.lock("b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'b' comes twice");
        assertThat(MultiLock.of(abc, client.lock("aa")).name()).isEqualTo("['a', 'aa', 'b', 'c']");
        assertThatThrownBy(abc::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    private DistributedLock again() {
        return MultiLock.of(client.lock("b"), client.lock("c"), client.lock("a"));
    }

    /** As getMultiLock() of others, which is called for each use. */
    @Test
    void holds_belongToTheThreadAndTheNames_notToTheObject() throws Exception {
        abc.lock();
        assertThat(again().isHeldByCurrentThread()).isTrue();
        assertThat(again().tryLock()).isTrue();
        again().lock();
        assertThat(again().tryLock(BRIEF)).isTrue();
        assertThat(again().holdCount()).isEqualTo(4);
        assertThat(again().heldLease().token()).isEqualTo(abc.heldLease().token());
        for (int left = 3; left >= 0; left--) {
            assertThat(other.lock("a").isLocked()).isTrue();
            again().unlock();
            assertThat(abc.holdCount()).isEqualTo(left);
        }
        assertFree("a", "b", "c");
        assertThatThrownBy(again()::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** Two clients are two owners, also of the same names. */
    @Test
    void holds_ofAnotherClient_doNotCount() {
        abc.lock();
        DistributedLock others = MultiLock.of(other.lock("a"), other.lock("b"), other.lock("c"));
        assertThat(others.holdCount()).isZero();
        assertThat(others.tryLock()).isFalse();
        abc.unlock();
    }

    @Test
    void aMember_isHeldByTheThreadThatHoldsTheWhole_andCountsByItself() {
        DistributedLock b = client.lock("b");
        abc.lock();
        assertThat(b.isHeldByCurrentThread()).isTrue();
        b.lock();
        assertThat(abc.holdCount()).isEqualTo(1);

        abc.unlock();

        assertFree("a", "c");
        assertThat(other.lock("b").isLocked()).as("still held by itself").isTrue();
        assertThat(abc.holdCount()).isZero();
        b.unlock();
        assertFree("b");
    }

    @Test
    void membersThatAreHeldOneByOne_areTheWhole() {
        List.of("a", "b", "c").forEach(name -> client.lock(name).lock());
        abc.lock();
        abc.unlock();
        assertThat(List.of("a", "b", "c")).allMatch(name -> other.lock(name).isLocked());
        abc.unlock();
        assertFree("a", "b", "c");
    }

    /** It would wait for itself: each of the forms says so, and counts nothing. */
    @Test
    void aMemberThatIsNotReentrant_refusesAThreadThatHoldsTheWhole() throws Exception {
        DistributedLock strict = MultiLock.of(
                client.lock("a"),
                client.lock("s", LockOptions.builder().reentrant(false).build()));
        strict.lock();
        assertThat(strict.tryLock()).isFalse();
        assertThat(strict.tryLock(BRIEF)).isFalse();
        assertThatThrownBy(strict::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'s'");
        assertThat(strict.holdCount()).isEqualTo(1);
        assertThat(client.lock("a").holdCount()).isEqualTo(1);
        strict.unlock();
        assertFree("a", "s");
    }

    /** The whole shares a member with another: no order of unlocking would be wrong, and so it may not wait. */
    @Test
    void threadThatHoldsAnotherWhole_withACommonMember_isRefused() {
        DistributedLock cd = MultiLock.of(client.lock("c"), client.lock("d"));
        abc.lock();
        assertThatThrownBy(cd::lock).isInstanceOf(IllegalStateException.class).hasMessageContaining("'c'");
        assertThatThrownBy(cd::tryLock).isInstanceOf(IllegalStateException.class);
        abc.unlock();
        assertFree("a", "b", "c", "d");
    }

    @Test
    void threadThatHoldsTheOtherSideOfAMember_isRefused() {
        DistributedReadWriteLock sides = client.readWriteLock("rw");
        DistributedLock reading = MultiLock.of(client.lock("a"), sides.readLock());
        DistributedLock writing = MultiLock.of(client.lock("a"), sides.writeLock());
        sides.writeLock().lock();
        assertThatThrownBy(reading::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("holds the other side of lock 'rw'");
        sides.writeLock().unlock();
        reading.lock();
        assertThatThrownBy(writing::tryLock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'a'");
        assertThatThrownBy(sides.writeLock()::lock).isInstanceOf(IllegalStateException.class);
        reading.unlock();
        writing.lock();
        sides.readLock().lock();
        sides.readLock().unlock();
        writing.unlock();
        assertFree("a");
    }

    @Test
    void aThreadThatHoldsAMember_isToldInsteadOfWaitingForItself() {
        DistributedLock b = client.lock("b");
        b.lock();
        assertThatThrownBy(abc::lock).isInstanceOf(IllegalStateException.class).hasMessageContaining("holds lock 'b'");
        b.unlock();
        assertFree("a", "b", "c");
    }

    @Test
    void lapse_leavesAllMembers_inBothForms() throws Exception {
        Lease held = abc.acquire();

        assertThat(held.lapse(Duration.ofHours(1))).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(held.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
        assertAllLeft();
        abc.lock();
        assertThatThrownBy(() -> {
                    abc.lock();
                    abc.lapse(Duration.ofHours(1));
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("held 2 times");
        abc.unlock();
        abc.lapse(Duration.ofHours(1));
        assertThat(abc.holdCount()).isZero();
        assertAllLeft();
    }

    @Test
    void lapse_ofAThreadThatHasLostAMember_saysSo_andEndsItsHolds() {
        for (Interlock forcing : List.of(client, other)) {
            for (String lost : List.of("a", "b", "c")) {
                abc.lock();
                // What another client has done, this one finds out by leaving the lock to lapse.
                assertThat(forcing.administration().forceUnlock(lost)).isTrue();
                assertThatThrownBy(() -> abc.lapse(Duration.ofHours(1)))
                        .isInstanceOf(LockLostException.class)
                        .hasMessageContaining("'" + lost + "'");
                assertThat(abc.holdCount()).isZero();
                List.of("a", "b", "c").forEach(name -> other.administration().forceUnlock(name));
                assertFree("a", "b", "c");
            }
        }
    }

    private void assertAllLeft() {
        for (String name : List.of("a", "b", "c")) {
            assertThat(other.lock(name).inspect().holders()).hasSize(1).allMatch(holder -> holder.isLeft());
            assertThat(other.administration().forceUnlock(name)).isTrue();
        }
    }

    /** A share, which cannot be left, stands for a member whose store cannot. */
    @Test
    void lapse_thatAMemberRefuses_changesNothing_orReleasesTheRest() throws Exception {
        DistributedLock share = client.readWriteLock("d").readLock();
        DistributedLock first = MultiLock.of(share, client.lock("e"));
        DistributedLock last = MultiLock.of(client.lock("c"), share);

        Lease kept = first.acquire();
        assertThatThrownBy(() -> kept.lapse(Duration.ofHours(1))).isInstanceOf(UnsupportedOperationException.class);
        assertThat(kept.isValid()).isTrue();
        kept.close();
        Lease over = last.acquire();
        assertThatThrownBy(() -> over.lapse(Duration.ofHours(1))).isInstanceOf(UnsupportedOperationException.class);
        assertThat(over.isValid()).isFalse();
        await().until(() -> !other.readWriteLock("d").readLock().isLocked());
        assertThat(other.lock("c").inspect().holders()).allMatch(holder -> holder.isLeft());
        assertThat(other.administration().forceUnlock("c")).isTrue();
    }

    /** Acquired anew alone, it would have fewer holds than the others, which nobody could unlock then. */
    @Test
    void lostMember_withForgottenHolds_isNotAcquiredAlone() {
        LockOptions forgetful = LockOptions.builder().forgetLostHolds(true).build();
        DistributedLock both = MultiLock.of(client.lock("f", forgetful), client.lock("g", forgetful));
        both.lock();
        assertThat(client.administration().forceUnlock("f")).isTrue();

        assertThatThrownBy(both::lock).isInstanceOf(LockLostException.class);

        assertThat(both.holdCount()).isOne();
        assertThatThrownBy(both::unlock).isInstanceOf(LockLostException.class);
        both.lock();
        both.unlock();
        assertFree("f", "g");
    }
}
