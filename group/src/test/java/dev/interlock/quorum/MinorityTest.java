package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a minority granted goes back, whatever becomes of the first release. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
