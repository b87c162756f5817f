package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readers that share a claim, writers between them, and the claim that turns from exclusive into shared. Invariants I1
 * to I8, criteria P06 and P17.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineReadWriteTest {

    private static final Duration TURN = Duration.ofMillis(10);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();
    private final DistributedReadWriteLock lock = one.readWriteLock("n", LockOptions.defaults());
    private final DistributedReadWriteLock other = two.readWriteLock("n", LockOptions.defaults());

    // ---- one claim for many readers

    @Test
    void readersOfATurnShareAClaim() {
        Lease first = got(read(lock));
        List<Lease> leases = new ArrayList<>(List.of(first));
        for (int i = 0; i < 50; i++) {
            leases.add(got(read(lock)));
        }
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(1);
        assertThat(leases.stream().map(Lease::token)).isSorted().doesNotHaveDuplicates();
        leases.forEach(Lease::close);
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        assertAtRest();
    }

    @Test
    void whoeverAsksOnceGetsItWithThoseInFront() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> first = read(lock);
        var once = lock.readLock().tryAcquireAsync().toCompletableFuture();
        assertThat(lock.writeLock().tryAcquireAsync().toCompletableFuture().join())
                .isEmpty();
        assertThat(once).isNotDone();
        one.store.letGo();
        assertThat(once.join()).isPresent();
        once.join().orElseThrow().close();
        got(first).close();
        assertAtRest();
    }

    @Test
    void whoeverAsksOnceIsRefusedWithThoseInFront() {
        Lease writer = got(write(other));
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> first = read(lock);
        var once = lock.readLock().tryAcquireAsync().toCompletableFuture();
        one.store.letGo();
        assertThat(once.join()).isEmpty();
        assertThat(first).isNotDone();
        one.store.road(Road.OPEN);
        writer.close();
        got(first).close();
        assertAtRest();
    }

    @Test
    void queuedReadersAreServedTogetherUpToTheFirstWriter() {
        Lease writer = got(write(lock));
        List<CompletableFuture<Lease>> readers = List.of(read(lock), read(lock));
        CompletableFuture<Lease> next = write(lock);
        CompletableFuture<Lease> late = read(lock);
        one.store.forgetRequests();

        writer.close();

        readers.forEach(reader -> assertThat(reader).isCompleted());
        assertThat(next).isNotDone();
        assertThat(late).isNotDone();
        readers.forEach(reader -> got(reader).close());
        assertThat(got(next).token()).isGreaterThan(got(readers.get(1)).token());
        assertThat(late).isNotDone();
        got(next).close();
        assertThat(one.store.count(Verb.ACQUIRE))
                .as("under one exclusive claim")
                .isZero();
        got(late).close();
        assertAtRest();
    }

    /** A claim that is shared cannot serve a writer. */
    @Test
    void aWriterAfterReadersReplacesTheirClaim() {
        Lease reader = got(read(lock));
        CompletableFuture<Lease> writer = write(lock);
        assertThat(writer).isNotDone();
        reader.close();
        assertThat(got(writer).token()).isGreaterThan(reader.token());
        assertThat(one.store.requests(Verb.ACQUIRE).get(1).claim().replaces()).isNotNull();
        got(writer).close();
        assertAtRest();
    }

    @Test
    void whoeverAsksOnceAlone_getsAShareIfThereIsRoom() {
        Lease first = once(lock).orElseThrow();
        Lease beside = once(lock).orElseThrow();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(1);
        first.close();
        beside.close();
        assertAtRest();
    }

    @Test
    void tryOnce_besideAWriterOfThisProcess_asksNoStore() {
        Lease writer = got(write(lock));
        assertThat(once(lock)).isEmpty();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(1);
        writer.close();
        assertAtRest();
    }

    // ---- when the turn is over

    @Test
    void afterTheTurnNewReadersAskWithAnotherClaim() {
        Lease early = got(read(lock));
        one.advance(TURN);
        Lease late = got(read(lock));
        Lease beside = got(read(lock));
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(modes()).containsExactly(Mode.shared(), Mode.shared());
        assertThat(early.isValid()).isTrue();
        early.close();
        assertThat(modes()).hasSize(1);
        late.close();
        beside.close();
        assertAtRest();
    }

    /** P17: the writer of another client comes after the readers of one turn. */
    @Test
    void P17_readersOfLaterTurnsStandBehindAWriterElsewhere() {
        Lease early = got(read(lock));
        CompletableFuture<Lease> writer = write(other);
        Lease sameTurn = got(read(lock));
        one.advance(TURN, two);
        CompletableFuture<Lease> late = read(lock);
        assertThat(late).isNotDone();
        early.close();
        assertThat(writer).isNotDone();
        sameTurn.close();
        got(writer);
        assertThat(late).isNotDone();
        got(writer).close();
        got(late).close();
        assertAtRest();
    }

    @Test
    void aReaderBehindAWriterThatGaveUpDoesNotWaitForALongReader() {
        Lease longReader = got(read(lock));
        CompletableFuture<Lease> writer = write(lock);
        CompletableFuture<Lease> behind = read(lock);
        one.advance(SECOND);
        assertThat(behind).isNotDone();
        writer.cancel(false);
        got(behind).close();
        longReader.close();
        assertAtRest();
    }

    /** In the store as well: the claim that waited for the writer asks again, for the reader. */
    @Test
    void aReaderBehindAWriterThatGaveUpAsksForAShare() {
        Lease elsewhere = got(read(other));
        CompletableFuture<Lease> writer = write(lock);
        CompletableFuture<Lease> behind = read(lock);
        assertThat(behind).isNotDone();
        writer.cancel(false);
        assertThat(one.store.requests(Verb.ACQUIRE).stream().map(r -> r.claim().owner()))
                .as("it keeps its place in the line")
                .hasSize(2)
                .containsOnly(one.store.requests(Verb.ACQUIRE).get(0).claim().owner());
        got(behind).close();
        elsewhere.close();
        assertAtRest();
    }

    // ---- from exclusive to shared

    @Test
    void readersAloneOnAnExclusiveClaimShareItWhenTheTurnIsOver() {
        Lease writer = got(write(lock));
        CompletableFuture<Lease> reader = read(lock);
        CompletableFuture<Lease> elsewhere = read(other);
        writer.close();
        one.advance(TURN.minusMillis(1), two);
        assertThat(reader).isCompleted();
        assertThat(elsewhere).isNotDone();
        one.advance(Duration.ofMillis(2), two);
        assertThat(elsewhere).isCompleted();
        assertThat(modes()).containsExactly(Mode.shared(), Mode.shared());
        got(reader).close();
        got(elsewhere).close();
        assertAtRest();
    }

    @Test
    void P17_aDowngradeSharesAtOnce() {
        Lease writer = got(write(lock));
        CompletableFuture<Lease> elsewhere = read(other);
        CompletableFuture<Lease> next = write(other);
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        assertThat(reader.token()).isEqualTo(writer.token());
        assertThat(elsewhere).isNotDone();
        writer.close();
        got(elsewhere).close();
        assertThat(next).isNotDone();
        reader.close();
        got(next).close();
        assertAtRest();
    }

    /** Its turn is not over, but no writer of this process comes back to it. */
    @Test
    void aClaimThatIsPutAsideIsSharedAtOnce_andTheRequestIsRepeated() {
        LockOptions longTurns =
                LockOptions.builder().handOver(1023, Duration.ofMinutes(1)).build();
        Lease writer = got(write(one.readWriteLock("n", longTurns)));
        CompletableFuture<Lease> reader = read(one.readWriteLock("n", longTurns));
        CompletableFuture<Lease> participant = read(
                one.readWriteLock("n", longTurns.toBuilder().participant("p").build()));
        one.store.road(Road.REFUSE_ONCE, Verb.ACQUIRE);

        writer.close();

        assertThat(one.store.requests(Verb.ACQUIRE).stream().map(r -> r.claim().mode()))
                .as("the writer's, its conversion, and that of the participant")
                .containsExactly(Mode.fair(), Mode.shared(), Mode.shared());
        got(reader);
        assertThat(participant).isNotDone();
        one.advance(SECOND);
        got(participant).close();
        got(reader).close();
        assertThat(status().isLocked()).isFalse();
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    @Test
    void aConversionThatFailsIsReported_withWhatIsLeftOfTheLease() {
        List<Duration> left = new ArrayList<>();
        Simulation three = Simulation.start(new LockObserver() {
            @Override
            public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
                return null;
            }

            @Override
            public void renewalFailed(
                    String name, String owner, Duration remaining, StoreUnavailableException failure) {
                left.add(remaining);
            }
        });
        Lease writer = got(write(three.readWriteLock("n", LockOptions.defaults())));
        Lease reader = three.acquireBeside("n", writer, LeaseTerm.renewing()).join();
        three.advance(SECOND);
        three.store.road(Road.REFUSE_ONCE, Verb.ACQUIRE);
        letGo(writer);
        assertThat(left).containsExactly(reader.remaining());
    }

    @Test
    void aDowngradeOfAWriterThatHasLetGoIsRefused() {
        Lease writer = got(write(lock));
        writer.close();
        assertThatThrownBy(() -> beside(writer, LeaseTerm.renewing()).join())
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was released before");
        assertAtRest();
    }

    @Test
    void aConversionThatIsLostIsRepeated() {
        Lease writer = got(write(lock));
        CompletableFuture<Lease> elsewhere = read(other);
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        letGo(writer);
        one.advance(Duration.ofSeconds(25), two);
        assertThat(elsewhere).isNotDone();
        assertThat(reader.isValid()).isTrue();
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(10), two);
        got(elsewhere).close();
        assertThat(reader.isValid()).isTrue();
        reader.close();
        assertThat(status().isLocked()).isFalse();
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    /** Nobody gives the conversion up when the claim is given back, so the writer must not wait for it. */
    @Test
    void aWriterIsToldThoughItsConversionIsLostAndTheReadersHaveLeft() {
        Lease writer = got(write(lock));
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<ReleaseOutcome> told = writer.releaseAsync().toCompletableFuture();
        assertThat(told).isNotDone();
        letGo(reader);
        assertThat(told.join().status()).isEqualTo(ReleaseOutcome.Status.RELEASED);
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    /** P04: of a store that always answers, if late, one answer comes in time. */
    @Test
    void aConversionThatIsAnsweredLateLosesNothing() {
        Lease writer = got(write(lock));
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        one.store.forgetRequests();
        letGo(writer);
        List<Integer> sent = new ArrayList<>();
        int answered = 0;
        for (int i = 0; i < 600; i++) {
            sent.add(one.store.count(Verb.ACQUIRE));
            // Those that were sent three seconds ago.
            int due = i < 30 ? 0 : sent.get(i - 30);
            one.store.letGo(due - answered);
            answered = due;
            one.advance(Duration.ofMillis(100));
        }
        assertThat(one.store.count(Verb.ACQUIRE)).as("given up at first").isGreaterThan(1);
        assertThat(reader.isValid()).isTrue();
        reader.close();
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    /** I6, I7: it arrives after the claim was given back, and brings it to life again. Its reply says so. */
    @Test
    void aConversionThatArrivesTooLateLeavesNothing() {
        Lease writer = got(write(lock));
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        letGo(writer);
        letGo(reader);
        one.store.road(Road.OPEN);
        one.store.letGo();
        assertAtRest();
    }

    /** I6, I7: nobody listens to its answer any more either. */
    @Test
    void aConversionThatWasGivenUpAndArrivesTooLateLeavesNothing() {
        Lease writer = got(write(lock));
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        letGo(writer);
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(2));
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        letGo(reader);
        assertThat(status().isLocked()).isFalse();
        one.store.letGo();
        assertThat(status().isLocked()).as("it has arrived").isTrue();
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(3));
        assertThat(status().isLocked()).isFalse();
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    /**
     * I6: the release found what was held before, and says so after it was heard that the conversion, which came behind
     * it, stands.
     */
    @Test
    void aConversionThatIsGrantedBehindTheReleaseLeavesNothing() {
        Lease writer = got(write(lock));
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        one.store.road(Road.KEEP_ANSWERS, Verb.RELEASE);
        one.store.beforeNextAcquire(() -> letGo(reader));
        letGo(writer);
        assertThat(status().isLocked()).as("granted behind its release").isTrue();
        one.store.road(Road.OPEN);
        one.store.letGo();
        assertAtRest();
    }

    @Test
    void aConversionUnderWayIsNotOvertakenByTheNextWriter() {
        Lease writer = got(write(lock));
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        CompletableFuture<Lease> next = write(lock);
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        letGo(writer);
        one.store.road(Road.OPEN);
        letGo(reader);
        assertThat(got(next).isValid()).isTrue();
        one.store.letGo();
        assertThat(modes()).singleElement().isInstanceOf(Mode.Exclusive.class);
        got(next).close();
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    /** It meets the claim of somebody else. */
    @Test
    void aConversionOfAClaimThatIsGoneIsALoss() {
        Lease writer = got(write(lock));
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        List<LossCause> told = new ArrayList<>();
        reader.onLost(told::add);
        assertThat(two.administration().forceUnlock("n")).isTrue();
        Lease theirs = got(write(other));
        writer.close();
        assertThat(told).containsExactly(LossCause.TAKEN);
        assertThat(theirs.isValid()).isTrue();
        theirs.close();
        one.advance(SECOND, two);
        assertAtRest();
    }

    // ---- each for its own time

    @Test
    void P06_aFixedReaderHasItsOwnEndOnASharedClaim() {
        Lease renewed = got(read(lock));
        Lease fixed = got(read(lock, LeaseTerm.fixed(Duration.ofSeconds(3))));
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(1);
        one.advance(Duration.ofMillis(2_967));
        assertThat(fixed.isValid()).isTrue();
        one.advance(Duration.ofMillis(1));
        assertThat(fixed.isValid()).isFalse();
        assertThat(fixed.release().lossCause()).isEqualTo(LossCause.EXPIRED);
        one.advance(Duration.ofMinutes(2));
        assertThat(renewed.isValid()).isTrue();
        renewed.close();
        assertAtRest();
    }

    /** P06: it neither gets a longer lease than it asked for, nor one that another's renewals must keep up. */
    @Test
    void P06_aLongFixedReaderHasAClaimOfItsOwn() {
        Lease renewed = got(read(lock));
        Lease fixed = got(read(lock, LeaseTerm.fixed(Duration.ofMinutes(1))));
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        one.store.road(Road.REFUSE);
        one.advance(Duration.ofSeconds(40));
        assertThat(renewed.isValid()).isFalse();
        assertThat(fixed.isValid()).isTrue();
        one.advance(Duration.ofSeconds(21));
        assertThat(fixed.isValid()).isFalse();
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    @Test
    void theClaimIsRenewedAsLongAsALeaseNeedsIt() {
        Lease renewed = got(read(lock));
        Lease fixed = got(read(lock, LeaseTerm.fixed(Duration.ofSeconds(20))));
        one.advance(Duration.ofSeconds(5));
        renewed.close();
        one.store.forgetRequests();
        one.advance(Duration.ofSeconds(14));
        assertThat(fixed.isValid()).isTrue();
        assertThat(one.store.count(Verb.RENEW)).isZero();
        one.advance(SECOND);
        assertThat(fixed.isValid()).isFalse();
        assertAtRest();
    }

    @Test
    void P06_aDowngradeLengthensAShortClaim() {
        Lease writer = got(write(lock, LeaseTerm.fixed(Duration.ofSeconds(3))));
        Lease reader = got(beside(writer, LeaseTerm.fixed(Duration.ofSeconds(60))));
        one.advance(Duration.ofSeconds(4));
        assertThat(writer.isValid()).isFalse();
        assertThat(reader.isValid()).isTrue();
        assertThat(modes()).containsExactly(Mode.shared());
        one.advance(Duration.ofSeconds(55));
        assertThat(reader.isValid()).isTrue();
        one.advance(Duration.ofSeconds(1));
        assertThat(reader.isValid()).isFalse();
        assertAtRest();
    }

    @Test
    void maxHoldEndsAlone() {
        Lease bounded = got(read(lock, LeaseTerm.renewing().maxHold(Duration.ofSeconds(5))));
        Lease beside = got(read(lock));
        one.advance(Duration.ofSeconds(5).plusMillis(2));
        assertThat(bounded.isValid()).isFalse();
        assertThat(beside.isValid()).isTrue();
        beside.close();
        assertAtRest();
    }

    // ---- loss and end

    @Test
    void aLostClaimTakesAllItsLeasesAndTellsEachOnce() {
        List<Lease> leases = Stream.generate(() -> got(read(lock))).limit(4).toList();
        List<LossCause> told = new ArrayList<>();
        leases.forEach(lease -> lease.onLost(told::add));
        one.store.road(Road.REFUSE);
        one.advance(Duration.ofSeconds(30));
        assertThat(told).hasSize(4).containsOnly(LossCause.STORE_UNREACHABLE);
        assertThat(leases).noneMatch(Lease::isValid);
        leases.forEach(lease -> assertThat(lease.release().lossCause()).isEqualTo(LossCause.STORE_UNREACHABLE));
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    // ---- the lease of a conversion

    @Test
    void aConversionForARenewedShareAsksForTheWholeLease() {
        Lease writer = got(write(lock, LeaseTerm.renewing(SECOND.multipliedBy(30))));
        got(beside(writer, LeaseTerm.renewing(SECOND.multipliedBy(30))));
        one.advance(SECOND);
        letGo(writer);
        assertThat(leaseOfTheConversion()).isEqualTo(SECOND.multipliedBy(30));
    }

    @Test
    void aConversionForAFixedShareAsksForWhatIsLeft() {
        Lease writer = got(write(lock, LeaseTerm.fixed(SECOND.multipliedBy(30))));
        got(beside(writer, LeaseTerm.fixed(SECOND.multipliedBy(3))));
        one.advance(SECOND);
        letGo(writer);
        // A little less: the store's clock may be the faster.
        assertThat(leaseOfTheConversion()).isBetween(SECOND.multipliedBy(28), SECOND.multipliedBy(29));
    }

    private Duration leaseOfTheConversion() {
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        return one.store.requests(Verb.ACQUIRE).get(1).claim().lease();
    }

    /** Two requests that set one lease, of which it is unknown which the store executes last. */
    @Test
    void aConversionAndARenewalAreNotUnderWayTogether() {
        Lease writer = got(write(lock, LeaseTerm.renewing(SECOND.multipliedBy(30))));
        got(beside(writer, LeaseTerm.renewing(SECOND.multipliedBy(30))));
        one.store.road(Road.KEEP_REQUESTS, Verb.RENEW);
        while (one.store.count(Verb.RENEW) == 0) {
            one.advance(Duration.ofMillis(100));
        }
        letGo(writer);
        assertThat(one.store.count(Verb.ACQUIRE)).as("behind the renewal").isEqualTo(1);
        one.store.road(Road.OPEN);
        one.store.letGo();
        one.advance(Simulation.LATE);
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
    }

    @Test
    void noRenewalIsSentBesideAConversion() {
        Lease writer = got(write(lock, LeaseTerm.renewing(SECOND)));
        got(beside(writer, LeaseTerm.renewing(SECOND)));
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        one.advance(Duration.ofMillis(200));
        assertThat(one.store.count(Verb.RENEW)).isZero();
        letGo(writer);
        one.advance(Duration.ofMillis(150));
        assertThat(one.store.count(Verb.ACQUIRE)).as("with its conversion").isEqualTo(2);
        assertThat(one.store.count(Verb.RENEW)).isZero();
    }

    @Test
    void closingEndsEachLease() {
        Lease writer = got(write(lock));
        Lease share = got(beside(writer, LeaseTerm.renewing()));
        one.core.close();
        assertThat(writer.isValid()).isFalse();
        assertThat(share.isValid()).isFalse();
    }

    /** The writer may wait for the reply to its conversion, and nobody looks any more whether it arrives. */
    @Test
    void closingTellsAWriterWhoseConversionIsUnderWay() {
        Lease writer = got(write(lock));
        got(beside(writer, LeaseTerm.renewing()));
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<ReleaseOutcome> told = writer.releaseAsync().toCompletableFuture();
        assertThat(told).isNotDone();
        one.core.close();
        assertThat(told).isCompletedWithValue(ReleaseOutcome.RELEASED);
    }

    @Test
    void aHolderOfEitherSideIsNamed_inMessages() {
        String me = Waiter.describe(Thread.currentThread());
        Lease writer = got(write(lock));
        Arbiter arbiter = one.core.arbiters().of(one.readWriteId("n")).get(0);
        assertThat(arbiter.holderThread(false)).isEqualTo(me);
        assertThat(arbiter.holderThread(true)).isNull();
        Lease reader = got(beside(writer, LeaseTerm.renewing()));
        assertThat(arbiter.holderThread(true)).isEqualTo(me);
        writer.close();
        assertThat(arbiter.holderThread(false)).isNull();
        assertThat(arbiter.holderThread(true)).isEqualTo(me);
        reader.close();
        assertThat(arbiter.holderThread(true)).isNull();
    }

    @Test
    void aCallerThatComesAfterTheEndOfItsClientIsRefused() {
        one.core.close();
        assertThat(read(lock)).isCompletedExceptionally();
        assertThat(one.store.count(Verb.ACQUIRE)).isZero();
    }

    @Test
    void closingGivesBackWhatIsAsideToo() {
        got(read(lock));
        one.advance(TURN);
        got(read(lock));
        CompletableFuture<Lease> writer = write(lock);
        one.core.close();
        assertThat(writer).isCompletedExceptionally();
        assertThat(two.memory
                        .inspect(one.readWriteId("n"))
                        .toCompletableFuture()
                        .join()
                        .isLocked())
                .isFalse();
    }

    private static CompletableFuture<Lease> read(DistributedReadWriteLock from) {
        return from.readLock().acquireAsync().toCompletableFuture();
    }

    private static CompletableFuture<Lease> read(DistributedReadWriteLock from, LeaseTerm term) {
        return from.readLock().acquireAsync(term).toCompletableFuture();
    }

    private static Optional<Lease> once(DistributedReadWriteLock from) {
        return from.readLock().tryAcquireAsync().toCompletableFuture().join();
    }

    private static CompletableFuture<Lease> write(DistributedReadWriteLock from) {
        return from.writeLock().acquireAsync().toCompletableFuture();
    }

    private static CompletableFuture<Lease> write(DistributedReadWriteLock from, LeaseTerm term) {
        return from.writeLock().acquireAsync(term).toCompletableFuture();
    }

    private CompletableFuture<Lease> beside(Lease writer, LeaseTerm term) {
        return one.acquireBeside("n", writer, term);
    }

    private static Lease got(CompletableFuture<Lease> future) {
        assertThat(future).isCompleted();
        return future.join();
    }

    /** Without waiting for a store that does not answer. */
    private static void letGo(Lease lease) {
        var unused = lease.releaseAsync();
    }

    private LockStatus status() {
        return one.memory.inspect(one.readWriteId("n")).toCompletableFuture().join();
    }

    private List<Mode> modes() {
        return status().holders().stream().map(holder -> holder.mode()).toList();
    }

    private void assertAtRest() {
        assertThat(one.isAtRest()).as("one is at rest").isTrue();
        assertThat(two.isAtRest()).as("two is at rest").isTrue();
        assertThat(status().isLocked()).isFalse();
        assertThat(status().waiters()).isEmpty();
    }
}
