package dev.interlock.support.rules;

import static dev.interlock.support.rules.Name.fence;
import static dev.interlock.support.rules.Name.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets a lock, a read/write lock or permits, who waits before whom, and who is woken. */
class HoldingRulesTest {

    private static final Mode EXCLUSIVE = Mode.exclusive();
    private static final Mode FAIR = Mode.fair();
    private static final Mode SHARED = Mode.shared();

    private final Name lock = new Name(LockKind.LOCK);
    private final Name readWrite = new Name(LockKind.READ_WRITE);
    private final Name semaphore = new Name(LockKind.SEMAPHORE);

    // ---- grants

    @Test
    void freeLock_isGranted_andHeldLock_isBusyUntilItsLeaseEnds() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.pass(Duration.ofSeconds(10));

        assertThat(retryAfter(lock.acquire(lock.claim(2, EXCLUSIVE)))).isEqualTo(Duration.ofSeconds(20));
        lock.assertHeldBy(holder);
        lock.assertWaiting();
    }

    @Test
    void heldClaim_thatAsksAgain_keepsItsFenceAndGetsANewLease() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        long fence = fence(lock.acquire(holder));
        lock.pass(Duration.ofSeconds(20));

        assertThat(fence(lock.acquire(holder))).isEqualTo(fence);

        lock.pass(Duration.ofSeconds(29));
        lock.assertHeldBy(holder);
        lock.pass(Duration.ofSeconds(1));
        lock.assertHeldBy();
    }

    @Test
    void fence_growsWithEachGrant_evenIfTheClockIsSetBack() {
        long first = fence(lock.acquire(lock.claim(1, EXCLUSIVE)));
        lock.release(lock.claim(1, EXCLUSIVE));
        lock.now -= 10_000;

        assertThat(fence(lock.acquire(lock.claim(2, EXCLUSIVE)))).isEqualTo(first + 1);
    }

    @Test
    void fence_thatLeavesNoLarger_isRefused() {
        lock.state = lock.state.withFence(Attempt.LARGEST_FENCE);

        assertThatThrownBy(() -> lock.acquire(lock.claim(1, EXCLUSIVE)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fence=" + Attempt.LARGEST_FENCE);
    }

    @Test
    void shares_holdTogether_andExcludeAWriter() {
        readWrite.assertGranted(readWrite.claim(1, SHARED));
        readWrite.assertGranted(readWrite.claim(2, SHARED));

        readWrite.assertBusy(readWrite.claim(3, FAIR));
    }

    @Test
    void permits_areGrantedUpToTheCapacity() {
        semaphore.assertGranted(semaphore.claim(1, new Mode.Permits(2, 3)));
        semaphore.assertBusy(semaphore.claim(2, new Mode.Permits(2, 3)));
        semaphore.assertGranted(semaphore.claim(3, new Mode.Permits(1, 3)));
    }

    @Test
    void capacity_isThatOfTheFirstWhoAsks_untilNobodyUsesIt() {
        Claim first = semaphore.claim(1, new Mode.Permits(1, 1));
        semaphore.assertGranted(first);
        semaphore.assertBusy(semaphore.claim(2, new Mode.Permits(1, 5)));

        semaphore.release(first);
        semaphore.pass(Duration.ZERO);

        assertThat(semaphore.state.isEmpty()).isTrue();
        semaphore.assertGranted(semaphore.claim(3, new Mode.Permits(2, 2)));
    }

    @Test
    void resize_wakesThoseThatFitThen_andIsRememberedForItsLease() {
        semaphore.assertGranted(semaphore.claim(1, new Mode.Permits(1, 1)));
        Claim waiting = semaphore.waiting(2, new Mode.Permits(1, 1));
        semaphore.assertBusy(waiting);

        semaphore.assertExecuted(semaphore.command(3, new Command.Resize(2)));

        semaphore.assertWoken(waiting);
        semaphore.pass(Duration.ofMillis(29_999));
        assertThat(semaphore.state.count()).isEqualTo(2);
        semaphore.pass(Duration.ofMillis(1));
        assertThat(semaphore.state.isEmpty()).isTrue();
    }

    @Test
    void permitsThatAreNoneOrTooMany_areRefused_andChangeNothing() {
        semaphore.assertExecuted(semaphore.command(1, new Command.AddPermits(1, 2)));
        NameState before = semaphore.state;

        semaphore.assertRefused(semaphore.command(2, new Command.AddPermits(-3, 2)));
        semaphore.assertRefused(semaphore.command(3, new Command.AddPermits(Integer.MAX_VALUE, 2)));
        semaphore.assertRefused(semaphore.command(4, new Command.KeepPermits(1)));

        assertThat(semaphore.state).isSameAs(before);
        assertThat(semaphore.state.count()).isEqualTo(3);
    }

    @Test
    void requestToRevoke_isNotForTheRules() {
        assertThatThrownBy(() -> readWrite.assertRefused(readWrite.command(1, new Command.RequestRevocation())))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("name=n");
    }

    @Test
    void conversionToShared_wakesTheSharesThatWait() {
        readWrite.assertGranted(readWrite.claim(1, FAIR));
        Claim share = readWrite.waiting(2, SHARED);
        readWrite.assertBusy(share);

        readWrite.assertGranted(readWrite.claim(1, SHARED));

        readWrite.assertWoken(share);
        readWrite.assertGranted(share);
    }

    // ---- the order of the queue

    @Test
    void claimInOrder_waitsBehindThoseBeforeIt_althoughTheNameIsFree() {
        Claim holder = lock.claim(1, FAIR);
        Claim first = lock.waiting(2, FAIR);
        lock.assertGranted(holder);
        lock.assertBusy(first);
        lock.release(holder);

        lock.assertBusy(lock.waiting(3, FAIR));
        lock.assertGranted(first);
    }

    @Test
    void share_doesNotOvertakeAWriterThatWaits() {
        readWrite.assertGranted(readWrite.claim(1, SHARED));
        readWrite.assertBusy(readWrite.waiting(2, FAIR));

        readWrite.assertBusy(readWrite.waiting(3, SHARED));
    }

    @Test
    void claimNotInOrder_overtakesWhoWaits() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.assertBusy(lock.waiting(2, FAIR));
        lock.release(holder);

        lock.assertGranted(lock.claim(3, EXCLUSIVE));
    }

    @Test
    void claimThatHasWaited_isListedBehindOneOfTheSameMoment() {
        lock.assertGranted(lock.claim(1, FAIR));
        Claim second = lock.waiting(2, FAIR);
        Claim third = lock.waiting(3, FAIR);
        lock.assertBusy(second);
        lock.assertBusy(third);
        lock.pass(Duration.ofMillis(50));
        Claim earlier = lock.claim(4, FAIR).waiting(Duration.ofMillis(60));
        Claim same = lock.claim(5, FAIR).waiting(Duration.ofMillis(50));

        lock.assertBusy(same);
        lock.assertBusy(earlier);

        lock.assertWaiting(earlier, second, third, same);
    }

    @Test
    void place_isKeptFor5SecondsAfterEachAsk() {
        Claim holder = lock.claim(1, FAIR);
        Claim first = lock.waiting(2, FAIR);
        lock.assertGranted(holder);
        lock.assertBusy(first);
        lock.pass(Duration.ofMillis(4_999));
        assertThat(retryAfter(lock.acquire(first))).isEqualTo(Duration.ofMillis(1_250));
        lock.assertBusy(lock.waiting(3, FAIR));
        lock.pass(Duration.ofMillis(4_999));
        lock.assertWaiting(first, lock.waiting(3, FAIR));

        lock.pass(Duration.ofMillis(1));
        lock.assertWaiting();
    }

    @Test
    void claimThatDoesNotWait_leavesNothing() {
        lock.assertGranted(lock.claim(1, EXCLUSIVE));
        NameState before = lock.state;

        lock.assertBusy(lock.claim(2, EXCLUSIVE));

        assertThat(lock.state).isSameAs(before);
    }

    @Test
    void grantedClaim_waitsNoMore() {
        Claim holder = lock.claim(1, FAIR);
        Claim next = lock.waiting(2, FAIR);
        lock.assertGranted(holder);
        lock.assertBusy(next);
        lock.release(holder);

        lock.assertGranted(next);

        lock.assertWaiting();
        lock.assertHeldBy(next);
    }

    /** One that was woken is not reckoned with before it asks again: it may be dead. */
    @Test
    void claimInOrder_doesNotWaitBehindOneThatHasLeftTheQueue() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim woken = lock.waiting(2, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.assertBusy(woken);
        lock.release(holder);
        lock.assertWoken(woken);
        Claim inOrder = lock.waiting(3, FAIR);

        lock.assertGranted(inOrder);

        lock.assertHeldBy(inOrder);
        lock.assertWaiting(woken);
    }

    // ---- who is woken

    @Test
    void release_wakesTheFirst_whichIsOutOfTheQueueUntilItAsks() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim second = lock.waiting(2, EXCLUSIVE);
        Claim third = lock.waiting(3, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.assertBusy(second);
        lock.assertBusy(third);

        assertThat(lock.release(holder)).isTrue();
        lock.assertWoken(second);

        // Another one is faster, and gone again: the one that was woken has not been heard of.
        lock.assertGranted(lock.claim(4, EXCLUSIVE));
        lock.release(lock.claim(4, EXCLUSIVE));
        lock.assertWoken(third);

        // It has its place again when it asks.
        lock.assertGranted(lock.claim(5, EXCLUSIVE));
        lock.assertBusy(second);
        lock.release(lock.claim(5, EXCLUSIVE));
        lock.assertWoken(second);
    }

    @Test
    void wokenClaim_thatGivesUp_passesTheWakeOn() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim second = lock.waiting(2, EXCLUSIVE);
        Claim third = lock.waiting(3, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.assertBusy(second);
        lock.assertBusy(third);
        lock.release(holder);

        assertThat(lock.release(second)).isFalse();

        lock.assertWoken(third);
    }

    @Test
    void release_wakesAllThatFitTogether_upToTheFirstThatDoesNot() {
        Claim holder = readWrite.claim(1, FAIR);
        readWrite.assertGranted(holder);
        List<Claim> waiting = List.of(
                readWrite.waiting(2, SHARED),
                readWrite.waiting(3, SHARED),
                readWrite.waiting(4, FAIR),
                readWrite.waiting(5, SHARED));
        waiting.forEach(readWrite::assertBusy);

        readWrite.release(holder);

        readWrite.assertWoken(waiting.get(0), waiting.get(1));
    }

    @Test
    void wokenClaimInOrder_keepsItsPlace_andIsWokenAgain() {
        Claim holder = lock.claim(1, FAIR);
        Claim second = lock.waiting(2, FAIR);
        lock.assertGranted(holder);
        lock.assertBusy(second);
        lock.release(holder);
        lock.assertWoken(second);

        lock.assertBusy(lock.waiting(3, FAIR));

        lock.assertWoken(second);
    }

    @Test
    void grantOfPermits_wakesNobody() {
        Claim holder = semaphore.claim(1, new Mode.Permits(2, 2));
        Claim second = semaphore.waiting(2, new Mode.Permits(1, 2));
        Claim third = semaphore.waiting(3, new Mode.Permits(1, 2));
        semaphore.assertGranted(holder);
        semaphore.assertBusy(second);
        semaphore.assertBusy(third);
        semaphore.release(holder);
        semaphore.assertWoken(second, third);

        semaphore.assertGranted(second);

        semaphore.assertWoken();
    }

    // ---- giving others a turn

    @Test
    void replacingClaim_endsTheEarlierOne_andWaitsBehindThoseWhoWait() {
        Claim earlier = lock.claim(1, EXCLUSIVE);
        Claim waiting = lock.waiting(2, EXCLUSIVE);
        lock.assertGranted(earlier);
        lock.assertBusy(waiting);
        Claim next = lock.claim(3, EXCLUSIVE).waiting(Duration.ofSeconds(9)).replacing(earlier.owner());

        assertThat(retryAfter(lock.acquire(next))).isEqualTo(Duration.ofMillis(100));

        lock.assertHeldBy();
        lock.assertWaiting(waiting, next);
        lock.assertWoken(waiting);
    }

    /** It is in the queue by how long it has waited, whatever it replaces. */
    @Test
    void replacingClaimInOrder_keepsThePlaceOfItsOwnWait() {
        Claim earlier = lock.claim(1, FAIR);
        Claim waiting = lock.waiting(2, FAIR);
        lock.assertGranted(earlier);
        lock.assertBusy(waiting);
        lock.pass(Duration.ofSeconds(1));
        Claim next = lock.claim(3, FAIR).waiting(Duration.ofSeconds(9)).replacing(earlier.owner());

        lock.assertGranted(next);

        lock.assertHeldBy(next);
        lock.assertWaiting(waiting);
    }

    @Test
    void replacingClaim_isGrantedIfNobodyWaits() {
        Claim earlier = lock.claim(1, EXCLUSIVE);
        lock.assertGranted(earlier);
        Claim next = lock.waiting(2, EXCLUSIVE).replacing(earlier.owner());

        lock.assertGranted(next);

        lock.assertHeldBy(next);
    }

    // ---- clients that poll

    @Test
    void freedLock_isReservedForThePollerThatHasWaited() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim poller = lock.waiting(2, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.poll(poller);
        lock.pass(Duration.ofMillis(NameRules.PATIENCE_MS));

        lock.release(holder);

        assertThat(retryAfter(lock.acquire(lock.claim(3, EXCLUSIVE)))).isEqualTo(Duration.ofMillis(Name.RESERVED_MS));
        assertThat(lock.poll(poller)).isInstanceOf(Attempt.Granted.class);
        assertThat(lock.state.reservation()).isNull();
    }

    @Test
    void freedLock_isNotReservedForThePollerThatHasJustCome() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim poller = lock.waiting(2, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.poll(poller);
        lock.pass(Duration.ofMillis(NameRules.PATIENCE_MS - 1));

        lock.release(holder);

        // A store that has a hint for those who poll gives it all the same.
        lock.assertWoken(poller);
        lock.assertGranted(lock.claim(3, EXCLUSIVE));
    }

    @Test
    void reservation_endsByItself_andIsNotRenewedForADeadPoller() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim dead = lock.waiting(2, EXCLUSIVE);
        Claim next = lock.waiting(3, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.poll(dead);
        lock.poll(next);
        lock.pass(Duration.ofMillis(NameRules.PATIENCE_MS));
        lock.release(holder);
        lock.pass(Duration.ofMillis(Name.RESERVED_MS));

        Claim other = lock.claim(4, EXCLUSIVE);
        lock.assertGranted(other);
        lock.release(other);

        assertThat(lock.state.reservation()).isNotNull();
        assertThat(lock.poll(next)).isInstanceOf(Attempt.Granted.class);
    }

    @Test
    void reservation_isPassedOnByAPollerThatGivesUp() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim first = lock.waiting(2, EXCLUSIVE);
        Claim second = lock.waiting(3, EXCLUSIVE);
        lock.assertGranted(holder);
        lock.poll(first);
        lock.poll(second);
        lock.pass(Duration.ofMillis(NameRules.PATIENCE_MS));
        lock.release(holder);

        lock.release(first);

        assertThat(lock.poll(second)).isInstanceOf(Attempt.Granted.class);
    }

    @Test
    void pollerInOrder_hasAReservationOnce_whileItDoesNotAsk() {
        Claim holder = lock.claim(1, EXCLUSIVE);
        Claim poller = lock.waiting(2, FAIR);
        lock.assertGranted(holder);
        lock.poll(poller);
        lock.pass(Duration.ofMillis(NameRules.PATIENCE_MS));
        lock.release(holder);
        lock.assertBusy(lock.claim(3, EXCLUSIVE));
        lock.pass(Duration.ofMillis(Name.RESERVED_MS));

        lock.poll(lock.waiting(4, FAIR));

        assertThat(lock.state.reservation()).isNull();
        lock.assertGranted(lock.claim(5, EXCLUSIVE));
    }

    @Test
    void poller_isListedFor2Seconds_andOneThatIsWokenForItsLease() {
        lock.assertGranted(lock.claim(1, EXCLUSIVE));
        Claim poller = lock.waiting(2, EXCLUSIVE);
        Claim other = lock.waiting(3, EXCLUSIVE);
        lock.poll(poller);
        lock.assertBusy(other);

        lock.pass(Duration.ofSeconds(2));

        lock.assertWaiting(other);
    }

    // ---- writes that are spared

    @Test
    void waiterThatAsksAgainInTime_changesNothing() {
        Name spared = new Name(LockKind.LOCK, true);
        spared.assertGranted(spared.claim(1, FAIR));
        Claim waiting = spared.waiting(2, FAIR);
        spared.assertBusy(waiting);
        NameState before = spared.state;
        spared.pass(Duration.ofMillis(2_500));

        spared.assertBusy(waiting);
        assertThat(spared.state).isSameAs(before);

        spared.pass(Duration.ofMillis(1));
        spared.assertBusy(waiting);
        assertThat(spared.state).isNotSameAs(before);
    }

    @Test
    void entriesThatDoNotChange_stayTheSameObjects() {
        semaphore.assertGranted(semaphore.claim(1, new Mode.Permits(1, 2)));
        Holder first = semaphore.state.holders().get(0);

        semaphore.assertGranted(semaphore.claim(2, new Mode.Permits(1, 2)));
        semaphore.assertBusy(semaphore.waiting(3, new Mode.Permits(1, 2)));
        semaphore.renew(semaphore.claim(2, new Mode.Permits(1, 2)));

        assertThat(semaphore.state.holders().get(0)).isSameAs(first);
    }

    // ---- the end of a claim

    @Test
    void renewal_saysWhatHasBecomeOfTheClaim() {
        Claim claim = lock.claim(1, EXCLUSIVE);
        lock.assertGranted(claim);
        assertThat(lock.renew(claim)).isEqualTo(Renewal.HELD);
        lock.pass(Duration.ofSeconds(30));
        assertThat(lock.renew(claim)).isEqualTo(Renewal.DELETED);
        lock.assertGranted(lock.claim(2, EXCLUSIVE));
        assertThat(lock.renew(claim)).isEqualTo(Renewal.TAKEN);
    }

    @Test
    void renewal_setsTheLeaseAnew() {
        Claim claim = lock.claim(1, EXCLUSIVE);
        lock.assertGranted(claim);
        lock.pass(Duration.ofSeconds(20));
        lock.renew(claim);
        lock.pass(Duration.ofSeconds(20));

        lock.assertHeldBy(claim);
    }

    @Test
    void forcedRelease_isRememberedForAMinute() {
        Claim claim = lock.claim(1, EXCLUSIVE);
        lock.assertGranted(claim);
        lock.release(claim.byForce());
        lock.pass(Duration.ofMillis(59_999));

        assertThat(lock.renew(claim)).isEqualTo(Renewal.FORCED);

        lock.pass(Duration.ofMillis(1));
        assertThat(lock.state.isEmpty()).isTrue();
    }

    @Test
    void conversionOfAClaimThatWasEndedByForce_isRefused() {
        Claim claim = readWrite.claim(1, FAIR);
        readWrite.assertGranted(claim);
        readWrite.release(claim.byForce());

        readWrite.assertBusy(claim.inMode(SHARED));

        assertThat(readWrite.renew(claim)).isEqualTo(Renewal.FORCED);
    }

    @Test
    void clockSetBack_shortensWhatWouldLastTooLong() {
        Claim claim = lock.claim(1, EXCLUSIVE);
        lock.assertGranted(claim);
        lock.now -= 1_000_000;
        lock.now += 1;

        lock.pass(Duration.ZERO);
        lock.pass(Duration.ofSeconds(30));

        lock.assertHeldBy();
    }

    @Test
    void clockSetBack_keepsThePlacesOfThoseWhoWait() {
        lock.assertGranted(lock.claim(1, EXCLUSIVE));
        lock.pass(Duration.ofHours(1));
        lock.assertGranted(lock.claim(2, EXCLUSIVE));
        Claim first = lock.waiting(3, EXCLUSIVE);
        lock.assertBusy(first);

        lock.now -= Duration.ofHours(1).toMillis();
        Claim second = lock.waiting(4, EXCLUSIVE);
        lock.assertBusy(second);

        lock.assertWaiting(first, second);
    }

    /** The clock is read before a transaction waits for its turn: it may be behind that of the one before. */
    @Test
    void clockThatIsBehindByAMoment_changesNoPlace() {
        lock.assertGranted(lock.claim(1, EXCLUSIVE));
        Claim first = lock.waiting(2, EXCLUSIVE);
        lock.assertBusy(first);
        lock.now += 1;
        Claim second = lock.claim(3, EXCLUSIVE).waiting(Duration.ofMillis(1));
        lock.assertBusy(second);

        lock.now -= 1;
        lock.pass(Duration.ZERO);

        lock.assertWaiting(first, second);
    }

    // ---- what people see

    @Test
    void status_tellsHoldersWaitersAndTheToken() {
        Claim holder = semaphore.claim(1, new Mode.Permits(2, 2));
        long fence = fence(semaphore.acquire(holder));
        semaphore.assertBusy(semaphore.waiting(2, new Mode.Permits(1, 2)));
        semaphore.pass(Duration.ofSeconds(1));

        LockStatus status = semaphore.rules.status(semaphore.state, semaphore.now);

        assertThat(status.count()).isEqualTo(2);
        assertThat(status.holders())
                .containsExactly(new LockStatus.Holder(
                        holder.owner().value(),
                        holder.party(),
                        holder.mode(),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(29),
                        fence * 1024));
        assertThat(status.waiters()).singleElement().satisfies(waiter -> assertThat(waiter.waitingFor())
                .isEqualTo(Duration.ofSeconds(1)));
    }
}
