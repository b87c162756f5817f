package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.FaultProxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Elections of several processes, which are killed, stopped, cut off and continued at random: at no time two lead, by
 * what {@code isLeader()} says; tokens increase; writes of one that was deposed are refused. For stores that other
 * processes can open.
 */
public interface ElectionFaultContract {

    /** In the long form, thirty candidates in six processes. */
    int PROCESSES = Effort.pick(3, 6);

    /** Of each process. */
    int CANDIDATES = Effort.pick(2, 5);

    /** Another way to the store, which can be cut; null if there is no network. */
    @Nullable
    FaultProxy proxy();

    /** The URI of the store, by this way. */
    String uri(@Nullable FaultProxy proxy);

    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    default void election_underFaults_neverHasTwoLeaders() {
        try (ElectionRun run = new ElectionRun(this, PROCESSES, CANDIDATES, Duration.ofSeconds(3), true)) {
            run.disturb(Effort.pick(3, 60));
            run.deposeByStopping();
            run.history().check();
        }
    }

    /** The lease is longer than a dead waiter keeps its place in the queue. */
    @Tag(Effort.TIMING)
    @Test
    default void election_underFaults_leadsAgainWithinALease() {
        Duration lease = Duration.ofSeconds(6);
        try (ElectionRun run = new ElectionRun(this, PROCESSES, CANDIDATES, lease, true)) {
            run.disturb(3);
            // Those may all have struck others than the leader.
            run.deposeByStopping();
            run.history().check();
            assertThat(run.longestGap()).isPositive().isLessThan(lease.plusSeconds(1));
        }
    }

    /** The control: candidates that say that they lead when they do not are found out. */
    @Test
    default void election_ofCandidatesThatIgnoreTheirEnd_isFoundOut() {
        try (ElectionRun run = new ElectionRun(this, 2, 1, Duration.ofSeconds(1), false)) {
            run.deposeByStopping();
            run.awaitLateWrite();
            // A leader that has answered once only cannot be said to have led for any time yet.
            await().untilAsserted(() ->
                    assertThat(run.history().violations()).anyMatch(violation -> violation.startsWith("overlap")));
        }
    }
}
