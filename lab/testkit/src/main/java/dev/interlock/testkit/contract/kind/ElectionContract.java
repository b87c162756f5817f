package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidate;
import dev.interlock.Interlock;
import dev.interlock.LeaderElection;
import dev.interlock.LeadershipEnd;
import dev.interlock.LeadershipEnd.Reason;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.testkit.fixture.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The election: one leads at a time, the others follow in the order of arrival, and everybody learns of it. */
interface ElectionContract extends KindsFixture {

    /** Candidates of a client each, that have joined one after the other; the first leads. */
    private List<Contender> candidates(int count) {
        String name = clients().name();
        List<Contender> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Contender next = new Contender(clients().open(), name);
            all.add(next);
            if (i == 0) {
                next.awaitElected(1);
            } else {
                KindsFixture.awaitWaiters(next.election()::inspect, i);
            }
        }
        return all;
    }

    private static long leaders(List<Contender> candidates) {
        return candidates.stream().filter(each -> each.candidacy().isLeader()).count();
    }

    @Test
    default void election_goesRound_inTheOrderOfArrival() {
        List<Contender> all = candidates(3);
        long token = 0;
        for (int turn = 0; turn < 6; turn++) {
            Contender leader = all.get(turn % 3).awaitElected(1 + turn / 3);
            long own = leader.tokens().get(turn / 3);
            assertThat(own).isGreaterThan(token);
            token = own;
            assertThat(leader.candidacy().leadership().map(Lease::token)).contains(own);
            assertThat(leaders(all)).isEqualTo(1);
            KindsFixture.awaitWaiters(leader.election()::inspect, 2);

            assertThat(leader.candidacy().abdicate()).isTrue();
            assertThat(leader.candidacy().isLeader()).isFalse();
        }
        all.get(2).awaitEnded(2);
        assertThat(all)
                .allSatisfy(
                        each -> assertThat(each.ends()).hasSize(2).allMatch(end -> end.reason() == Reason.ABDICATED));
    }

    /** While the leader learns of its end, nobody else leads, on no client and in no store. */
    @Test
    default void election_theEndIsTold_beforeTheNextLeads() throws Exception {
        String name = clients().name();
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch returns = new CountDownLatch(1);
        LeaderElection election = clients().open().election(name);
        var first = election.join(new Candidate() {
            @Override
            public void elected(Lease leadership) {}

            @Override
            public void ended(Lease leadership, LeadershipEnd end) {
                told.countDown();
                try {
                    returns.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        await().until(first::isLeader);
        Contender second = new Contender(clients().open(), name);
        KindsFixture.awaitWaiters(election::inspect, 1);

        assertThat(first.abdicate()).isTrue();
        told.await();
        assertThat(first.isLeader()).isFalse();
        assertThat(clients().open().lock(name).tryAcquire()).isEmpty();
        assertThat(second.tokens()).isEmpty();

        returns.countDown();
        second.awaitElected(1);
    }

    @Test
    default void election_forcedLeader_learnsTheCause_andStandsAgain() {
        Interlock operator = clients().open();
        Contender leader = new Contender(clients().open(), clients().name()).awaitElected(1);

        assertThat(operator.administration()
                        .forceUnlock(operator.election(leader.election().name()).inspect()))
                .isTrue();
        // In this client nobody hears of it before the next renewal; so the lease is asked.
        leader.candidacy().leadership().ifPresent(ElectionContract::renew);
        leader.awaitEnded(1).awaitElected(2);

        assertThat(leader.ends()).containsExactly(new LeadershipEnd(Reason.LOST, LossCause.FORCED));
        assertThat(leader.tokens().get(1)).isGreaterThan(leader.tokens().get(0));
    }

    private static void renew(Lease lease) {
        try {
            lease.extend(Duration.ofMinutes(1));
        } catch (IllegalStateException | LockLostException e) {
            assertThat(lease.isValid()).isFalse();
        }
    }

    /** Whoever leaves, at whatever place, leaves nothing behind. */
    @Test
    default void election_whoeverLeaves_leavesNothing() {
        List<Contender> all = candidates(3);
        LeaderElection election =
                clients().open().election(all.get(0).election().name());

        all.get(1).candidacy().close();
        KindsFixture.awaitWaiters(election::inspect, 1);
        all.get(0).candidacy().close();
        all.get(2).awaitElected(1);
        all.get(2).candidacy().close();

        assertThat(all.get(1).tokens()).isEmpty();
        for (Contender leader : List.of(all.get(0), all.get(2))) {
            assertThat(leader.ends()).containsExactly(new LeadershipEnd(Reason.LEFT, null));
        }
        LockStatus rest = election.inspect();
        assertThat(rest.holders()).isEmpty();
        assertThat(rest.waiters()).isEmpty();
    }

    @Test
    default void election_observer_hearsOfEachLeader() {
        String name = clients().name();
        Interlock client = clients().open(builder -> builder.pollCap(Duration.ofMillis(20)));
        List<Optional<Long>> seen = new CopyOnWriteArrayList<>();
        try (var observation =
                client.election(name).observe(leader -> seen.add(leader.map(LockStatus.Holder::token)))) {
            assertThat(observation).isNotNull();
            await().until(() -> seen.equals(List.of(Optional.empty())));

            Contender first = new Contender(clients().open(), name).awaitElected(1);
            await().until(() -> seen.size() == 2);
            Contender second = new Contender(clients().open(), name);
            KindsFixture.awaitWaiters(second.election()::inspect, 1);
            first.candidacy().close();
            second.awaitElected(1);
            await().until(() -> seen.contains(Optional.of(second.tokens().get(0))));
            second.candidacy().close();
            await().until(() -> seen.get(seen.size() - 1).isEmpty());

            List<Optional<Long>> leaders =
                    seen.stream().filter(Optional::isPresent).toList();
            assertThat(leaders)
                    .containsExactly(
                            Optional.of(first.tokens().get(0)),
                            Optional.of(second.tokens().get(0)));
        }
    }
}
