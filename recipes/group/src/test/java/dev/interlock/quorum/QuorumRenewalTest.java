package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A renewal of two claims while one of three stores is silent: one claim is held by the other two, and the other claim
 * by one of them only.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuorumRenewalTest {

    private static final Duration LEASE = Duration.ofSeconds(6);

    /** More than a sixth of the lease. */
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<SickStore> sick =
            Stream.generate(SickStore::new).limit(3).toList();
    private final QuorumStore quorum = QuorumStore.over(nodes.sessions(sick), STORE_TIMEOUT);

    @AfterEach
    void close() {
        sick.forEach(SickStore::silence);
        quorum.close();
        nodes.close();
    }

    /** The engine waits for a renewal for a sixth of the lease, which is less than what a store has for an answer. */
    @Test
    void P05_aClaimThatCannotBeDecided_costsNoOtherItsRenewal() throws Exception {
        try (Interlock client = Interlock.builder(quorum).build()) {
            Lease held = client.lock("held").acquire(LeaseTerm.renewing(LEASE));
            Lease undecided = client.lock("undecided").acquire(LeaseTerm.renewing(LEASE));
            Queue<LossCause> told = new ConcurrentLinkedQueue<>();
            undecided.onLost(told::add);
            sick.get(2).silence("renew");
            nodes.forceUnlockIn(1, "undecided");
            await().until(() -> !told.isEmpty());
            assertThat(told).containsExactly(LossCause.STORE_UNREACHABLE);
            assertThat(sick.get(2).unanswered("renew")).isNotEmpty();
            int renewals = sick.get(0).asked("renew");
            await().until(() -> sick.get(0).asked("renew") >= renewals + 3);
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void whoeverGivesUp_getsWhatIsDecided() {
        Claim held = claim("held", 1);
        Claim undecided = claim("undecided", 2);
        quorum.acquire(held).toCompletableFuture().join();
        quorum.acquire(undecided).toCompletableFuture().join();
        sick.get(2).silence("renew");
        nodes.forceUnlockIn(1, "undecided");
        CompletableFuture<Map<Claim, Renewal>> renewal =
                quorum.renew(List.of(held, undecided)).toCompletableFuture();
        assertThat(renewal).isNotDone();
        assertThat(renewal.cancel(false)).isFalse();
        assertThat(renewal).isCompletedWithValue(Map.of(held, Renewal.HELD));
        assertThat(sick.get(2).unanswered("renew")).hasSize(1).allMatch(CompletableFuture::isCancelled);
    }

    private static Claim claim(String name, int number) {
        return Claim.of(LockId.lock(name), OwnerId.of("client", number), LEASE, Party.UNKNOWN);
    }
}
