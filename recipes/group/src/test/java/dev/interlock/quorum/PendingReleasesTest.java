package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The pending releases of a store that does not answer are few requests, however many there are, and arrive when it
 * answers again.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PendingReleasesTest {

    private static final int PAIRS = 400;

    /** Some are sent before the store is known not to answer, and then one after the other. */
    private static final int FEW = 20;

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<SickStore> sick =
            Stream.generate(SickStore::new).limit(3).toList();
    private final SickStore third = sick.get(2);
    private final Interlock client = Interlock.builder(QuorumStore.over(nodes.sessions(sick), Duration.ofMillis(50)))
            .storeTimeout(Patience.FULL)
            .attemptTimeout(Patience.FULL)
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
    void manyReleases_arriveWhenTheStoreAnswers() throws Exception {
        third.silence("release");
        lockAndUnlock(Duration.ofMinutes(30));
        await().until(() -> third.asked("release") > PAIRS);
        assertThat(nodes.isLockedIn(2, "n0")).isTrue();

        third.silence();
        await().until(() -> IntStream.range(0, PAIRS).noneMatch(i -> nodes.isLockedIn(2, "n" + i)));
    }

    @Tag(Effort.TIMING)
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

    /** They would be in the way of the releases of other names. */
    @Test
    void releasesThatAreRefused_areNotTriedAgain() throws Exception {
        third.refuse("release");
        lockAndUnlock(Duration.ofMinutes(1));
        await().during(Duration.ofSeconds(1)).until(() -> third.asked("release") == PAIRS);
    }

    @Test
    void pendingReleases_endWithTheirClient() throws Exception {
        third.silence("release");
        client.lock("a").acquire(LeaseTerm.fixed(Duration.ofMinutes(5))).close();
        await().until(() -> third.asked("release") > 1);
        client.close();
        // One may be on its way to the store.
        int sent = third.asked("release") + 1;
        await().during(Duration.ofSeconds(2)).until(() -> third.asked("release") <= sent);
        assertThat(nodes.isLockedIn(2, "a")).isTrue();
    }

    /** Their acquires may still arrive, until their leases would have ended. */
    @Tag(Effort.TIMING)
    @Test
    void releasesOfUnansweredAcquires_areFew() throws Exception {
        third.silence("acquire", "release");
        lockAndUnlock(Duration.ofMinutes(1));
        assertFewMoreThan(PAIRS);
    }

    @Test
    void releasesOfUnansweredAcquires_endWithTheirLeases() throws Exception {
        third.silence("acquire", "release");
        lockAndUnlock(Duration.ofSeconds(3));
        await().until(() -> third.asked("release") > PAIRS);
        AtomicInteger last = new AtomicInteger();
        await().during(Duration.ofSeconds(3)).until(() -> {
            int releases = third.asked("release");
            return last.getAndSet(releases) == releases;
        });
    }
}
