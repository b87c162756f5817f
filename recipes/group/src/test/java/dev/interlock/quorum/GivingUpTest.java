package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A store that does not answer hears that nobody waits for it any more: or its client would keep every request for
 * ever.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GivingUpTest {

    private static final LeaseTerm TERM = LeaseTerm.fixed(Duration.ofMinutes(1));

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<SickStore> sick =
            Stream.generate(SickStore::new).limit(3).toList();
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

    /** So many at least, and all of them but those that have just been sent. */
    private static void assertGivenUp(SickStore store, String verb, int count) {
        await().untilAsserted(() -> {
            List<CompletableFuture<?>> asked = store.unanswered(verb);
            assertThat(asked).as(verb).hasSizeGreaterThanOrEqualTo(count);
            assertThat(asked.subList(0, count)).as(verb).allMatch(CompletableFuture::isCancelled);
        });
    }

    @Test
    void acquiresAndReleases() throws Exception {
        sick.get(2).silence("acquire", "release");
        for (int i = 0; i < 3; i++) {
            client.lock("a").acquire(TERM).close();
        }
        assertGivenUp(sick.get(2), "acquire", 3);
        assertGivenUp(sick.get(2), "release", 3);
    }

    /** The claim stands there for a minute yet. */
    @Test
    void aReleaseThatWasGivenUp_isRepeated() throws Exception {
        Lease lease = client.lock("a").acquire(TERM);
        sick.get(2).silence("release");
        lease.close();
        assertGivenUp(sick.get(2), "release", 2);
        assertThat(nodes.isLockedIn(2, "a")).isTrue();
        sick.get(2).silence();
        await().until(() -> !nodes.isLockedIn(2, "a"));
    }

    /** The name, and the register of its fence. */
    @Test
    void questions() throws Exception {
        try (Lease lease = client.lock("a").acquire(TERM)) {
            sick.get(2).silence("inspect");
            assertThat(client.lock("a").inspect().isLocked()).isTrue();
            assertGivenUp(sick.get(2), "inspect", 2);
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void releasesByForce() throws Exception {
        Lease lease = client.lock("a").acquire(TERM);
        sick.forEach(store -> store.silence("release"));
        assertThatThrownBy(() -> client.administration().forceUnlock("a"))
                .isInstanceOf(StoreUnavailableException.class);
        sick.forEach(store -> assertGivenUp(store, "release", 1));
        assertThat(lease.isValid()).isTrue();
    }
}
