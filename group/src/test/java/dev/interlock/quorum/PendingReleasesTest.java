package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is owed to a store that does not answer is little work for it, however much it is, and gets there when it
 * answers again.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PendingReleasesTest {

    private static final int PAIRS = 400;

    /** Some are tried before it is known that the store does not answer, and then one after the other. */
    private static final int FEW = 20;

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<SickStore> sick =
            Stream.generate(SickStore::new).limit(3).toList();
    private final SickStore third = sick.get(2);
    private final Interlock client = Interlock.builder(QuorumStore.over(nodes.sessions(sick), Duration.ofMillis(50)))
            .build();

    @AfterEach
    void close() {
        sick.forEach(SickStore::silence);
        client.close();
        nodes.close();
    }

    private void lockAndUnlock(Duration lease) throws Exception {
        for (int i = 0; i < PAIRS; i++) {
            client.lock("n" + i).acquire(LeaseTerm.fixed(lease)).close();
        }
    }

    private void assertFewMoreThan(int releases) {
        await().until(() -> third.asked("release") > releases);
        await().during(Duration.ofSeconds(1)).until(() -> third.asked("release") <= releases + FEW);
    }

    @Test
    void manyReleases_areOneProbeAtATime_andArriveOnce() throws Exception {
        third.silence("release");
        lockAndUnlock(Duration.ofMinutes(1));
        assertFewMoreThan(PAIRS);
        assertThat(nodes.isLockedIn(2, "n0")).isTrue();

        int before = third.asked("release");
        third.silence();
        await().until(() -> IntStream.range(0, PAIRS).noneMatch(i -> nodes.isLockedIn(2, "n" + i)));
        assertFewMoreThan(before + PAIRS - 1);
    }

    /** They would stand in the way of what is owed to other names. */
    @Test
    void releasesThatAreRefused_areNotTriedAgain() throws Exception {
        third.refuse("release");
        lockAndUnlock(Duration.ofMinutes(1));
        await().during(Duration.ofSeconds(1)).until(() -> third.asked("release") == PAIRS);
    }

    /** Whether their acquires arrive yet is not known: until their leases would have ended, and no longer. */
    @Test
    void releasesOfWhatWasNotAnswered_areFewToo_andEndWithTheirLeases() throws Exception {
        third.silence("acquire", "release");
        lockAndUnlock(Duration.ofSeconds(3));
        assertFewMoreThan(PAIRS);
        AtomicInteger last = new AtomicInteger();
        await().atMost(Duration.ofSeconds(20)).during(Duration.ofSeconds(3)).until(() -> {
            int releases = third.asked("release");
            return last.getAndSet(releases) == releases;
        });
    }
}
