package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.Party;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a minority granted goes back, whatever becomes of the first release. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MinorityTest {

    private static final LeaseTerm TERM = LeaseTerm.fixed(Duration.ofMinutes(1));

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<SickStore> sick =
            Stream.generate(SickStore::new).limit(3).toList();
    private final Interlock client =
            Interlock.builder(QuorumStore.over(nodes.sessions(sick))).build();
    private final List<Interlock> others = Stream.of(0, 1)
            .map(store -> Interlock.builder(nodes.stores().get(store).session()).build())
            .toList();

    @AfterEach
    void close() {
        others.forEach(Interlock::close);
        client.close();
        nodes.close();
    }

    /**
     * It looks as if the votes were split: whoever tries for no time has an answer all the same, and it is no failure
     * of the stores. At least once in many times: an attempt may be late on a busy machine.
     */
    @Test
    void P19_aHolderWithABareMajority_isNoFailure() throws Exception {
        for (Interlock other : others) {
            other.lock("a").acquire(TERM);
        }
        await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> client.lock("a").tryAcquire(Duration.ZERO, TERM).isEmpty());
        await().until(() -> !nodes.isLockedIn(2, "a"));
    }

    @Test
    void P25_aHolderWithABareMajority_isAskedForLessAndLessOften() throws Exception {
        for (Interlock other : others) {
            other.lock("a").acquire(TERM);
        }
        QuorumStore quorum = nodes.quorum();
        Claim waiting = Claim.of(LockId.lock("a"), OwnerId.of("client", 1), Duration.ofMinutes(1), Party.UNKNOWN)
                .waiting(Duration.ZERO);
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            pauses.add(((Attempt.Busy)
                            quorum.acquire(waiting).toCompletableFuture().get())
                    .retryAfter());
        }
        assertThat(pauses.get(0)).isLessThan(Duration.ofMillis(50));
        assertThat(pauses.subList(5, 8)).allMatch(pause -> pause.compareTo(Duration.ofMillis(380)) > 0);
        assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofMillis(1_600)) < 0);
        quorum.release(waiting).toCompletableFuture().get();
    }

    @Test
    void P19_aReleaseThatFails_isRepeated() throws Exception {
        for (Interlock other : others) {
            other.lock("a").acquire(TERM);
        }
        sick.get(2).failNext("release");
        assertThat(client.lock("a").tryAcquire(Duration.ofMillis(500), TERM)).isEmpty();
        assertThat(sick.get(2).isFailureAhead()).isFalse();
        await().until(() -> !nodes.isLockedIn(2, "a"));
    }
}
