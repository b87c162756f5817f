package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Why a lease has ended is known under the owner that it has in each store, which is another one after each split of
 * the votes.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LossCauseTest {

    private static final LeaseTerm TERM = LeaseTerm.fixed(Duration.ofMinutes(5));

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<SickStore> counting =
            Stream.generate(SickStore::new).limit(3).toList();
    private final Interlock client =
            Interlock.builder(QuorumStore.over(nodes.sessions(counting))).build();
    private final Interlock other = Interlock.builder(nodes.quorum()).build();
    private final List<Interlock> strangers = IntStream.range(0, 3)
            .mapToObj(store ->
                    Interlock.builder(nodes.stores().get(store).session()).build())
            .toList();

    @AfterEach
    void close() {
        strangers.forEach(Interlock::close);
        other.close();
        client.close();
        nodes.close();
    }

    private Lease stranger(int store) throws Exception {
        return strangers.get(store).lock("a").acquire(TERM);
    }

    private void awaitSplit(int store) {
        await().until(() -> counting.get(store).asked("release") > 0);
    }

    @Test
    void aForcedEnd_isToldByTheRelease_alsoAfterSplitVotes() throws Exception {
        Lease first = stranger(1);
        Lease always = stranger(2);
        CompletableFuture<Lease> waiting = client.lock("a").acquireAsync(TERM).toCompletableFuture();
        awaitSplit(0);
        Lease second = stranger(0);
        first.close();
        awaitSplit(1);
        second.close();
        always.close();
        Lease lease = waiting.get(Patience.seconds(), TimeUnit.SECONDS);
        assertThat(other.administration().forceUnlock("a")).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
    }
}
