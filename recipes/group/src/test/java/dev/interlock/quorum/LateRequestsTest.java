package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The verbs of a quorum whose third store gets requests late, or answers late: what comes after the client has gone on
 * neither stays there, nor ends what is held then.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateRequestsTest {

    private static final Duration LEASE = Duration.ofHours(1);
    private static final Claim CLAIM = claim("client");
    private static final Claim STRANGER = claim("stranger");

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<SickStore> sick =
            Stream.generate(SickStore::new).limit(3).toList();
    private final SickStore third = sick.get(2);
    private final QuorumStore quorum = QuorumStore.over(nodes.sessions(sick), Patience.limit());

    @AfterEach
    void close() {
        sick.forEach(SickStore::silence);
        quorum.close();
        nodes.close();
    }

    private static Claim claim(String client) {
        return Claim.of(LockId.lock("a"), OwnerId.of(client, 1), LEASE, Party.UNKNOWN);
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    private static void granted(LockStore store, Claim claim) throws Exception {
        assertThat(answer(store.acquire(claim))).isInstanceOf(Attempt.Granted.class);
    }

    private static void busy(LockStore store, Claim claim) throws Exception {
        assertThat(answer(store.acquire(claim))).isInstanceOf(Attempt.Busy.class);
    }

    private void strangerHolds(int... stores) throws Exception {
        for (int store : stores) {
            granted(nodes.stores().get(store), STRANGER);
        }
    }

    @Test
    void acquire_thatArrivesAfterTheRelease_isReleased() throws Exception {
        third.silence("acquire");
        granted(quorum, CLAIM);
        assertThat(answer(quorum.release(CLAIM))).isTrue();
        acquireArrives();
        await().until(() -> !nodes.isLockedIn(2, "a"));
    }

    /** The client passes the lock on: the next claim replaces this one, whose acquire is on its way to one store. */
    @Test
    void acquire_thatArrivesAfterItsSuccessor_isReleased() throws Exception {
        third.silence("acquire");
        granted(quorum, CLAIM);
        third.silence();
        granted(quorum, successor().replacing(CLAIM.owner()));
        assertThat(answer(quorum.release(successor()))).isTrue();
        await().until(() -> !nodes.isLockedIn(2, "a"));
        assertThat(third.arrive("acquire")).isOne();
        await().until(() -> !nodes.isLockedIn(2, "a"));
    }

    /** The acquire that replaces the claim fails in one store. */
    @Test
    void claim_thatIsNotReplacedInAStore_isReleasedThere() throws Exception {
        granted(quorum, CLAIM);
        await().until(() -> nodes.isLockedIn(2, "a"));
        third.failNext("acquire");
        granted(quorum, successor().replacing(CLAIM.owner()));
        assertThat(answer(quorum.release(successor()))).isTrue();
        await().until(() -> !nodes.isLockedIn(2, "a"));
        assertThat(third.isFailureAhead()).isFalse();
    }

    private static Claim successor() {
        return Claim.of(CLAIM.id(), OwnerId.of("client", 2), Duration.ofMinutes(1), Party.UNKNOWN);
    }

    @Test
    void acquire_thatArrivesAfterABusyAnswer_isReleased() throws Exception {
        strangerHolds(0, 1);
        third.silence("acquire");
        busy(quorum, CLAIM);
        await().until(() -> third.asked("release") > 0);
        acquireArrives();
        await().until(() -> !nodes.isLockedIn(2, "a"));
    }

    private void acquireArrives() {
        List<CompletableFuture<?>> late = third.unanswered("acquire");
        third.silence();
        assertThat(third.arrive("acquire")).isOne();
        assertThat(late.get(0)).isCompletedWithValueMatching(Attempt.Granted.class::isInstance);
    }

    /** As long as a majority is possible, the round waits for it. */
    @Test
    void answer_thatIsLate_makesTheMajority() throws Exception {
        strangerHolds(0);
        third.silence("acquire");
        CompletableFuture<Attempt> attempt = quorum.acquire(CLAIM).toCompletableFuture();
        await().during(Duration.ofMillis(100)).until(() -> !attempt.isDone());
        third.silence();
        third.arrive("acquire");
        assertThat(answer(attempt)).isInstanceOf(Attempt.Granted.class);
    }

    /** The claim in the store has another owner then. */
    @Test
    void release_thatArrivesAfterTheNextGrant_doesNotEndIt() throws Exception {
        QuorumStore hasty = QuorumStore.over(nodes.sessions(sick), Duration.ofMillis(50));
        strangerHolds(0, 1);
        third.silence("release");
        Claim waiting = CLAIM.waiting(Duration.ZERO);
        busy(hasty, waiting);
        third.silence();
        await().until(() -> !nodes.isLockedIn(2, "a"));
        assertThat(answer(nodes.stores().get(0).release(STRANGER))).isTrue();
        granted(hasty, waiting);
        assertThat(third.arrive("release")).isPositive();
        assertThat(nodes.isLockedIn(2, "a")).isTrue();
        assertThat(answer(hasty.renew(List.of(waiting)))).containsEntry(waiting, Renewal.HELD);
        hasty.close();
    }

    /** All answers to the acquire were there: nothing of it can come any more. */
    @Test
    void release_ofAClaimThatIsGone_isNotRepeated() throws Exception {
        granted(quorum, CLAIM);
        nodes.forceUnlockIn(2, "a");
        assertThat(answer(quorum.release(CLAIM))).isTrue();
        await().during(Duration.ofMillis(300)).until(() -> third.asked("release") == 1);
    }

    /** Grants that are split may become a majority at once: a claim that tries once tries more than one round. */
    @Test
    void acquire_thatTriesOnce_hasMoreRounds_ifGrantsAreSplit() throws Exception {
        strangerHolds(0, 1);
        // Only if the first round was quick, which it may not be on a busy machine.
        int rounds = Patience.inTime(() -> {
            int before = third.asked("acquire");
            busy(quorum, CLAIM);
            int count = third.asked("acquire") - before;
            return count > 1 ? Optional.of(count) : Optional.empty();
        });
        assertThat(rounds).isLessThan(6);
        assertThat(nodes.isLockedIn(2, "a")).isFalse();
    }
}
