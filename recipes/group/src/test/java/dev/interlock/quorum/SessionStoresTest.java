package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Tether;
import dev.interlock.testkit.Patience;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Stores that end the claims of a client with its session: the register of a fence does not outlive there whom it is to
 * protect against.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionStoresTest {

    private static final Tether SESSION = () -> Duration.ofMinutes(5).toNanos();
    private static final LeaseTerm TERM = LeaseTerm.fixed(Duration.ofMinutes(1));

    private final MemoryNodes nodes = MemoryNodes.of(3);
    private final List<Interlock> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Interlock::close);
        nodes.close();
    }

    private Interlock client(LockStore store) {
        Interlock client = Interlock.builder(store).build();
        clients.add(client);
        return client;
    }

    /** A client of the three stores of which so many, the last ones, have sessions. */
    private QuorumStore quorum(int sessions) {
        List<LockStore> stores = new ArrayList<>(nodes.sessions(store -> store));
        stores.subList(3 - sessions, 3).replaceAll(SessionStoresTest::withSession);
        return QuorumStore.over(stores);
    }

    private static LockStore withSession(LockStore inner) {
        return (LockStore) Proxy.newProxyInstance(
                SessionStoresTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(inner, arguments);
                    return method.getName().equals("acquire")
                            ? ((CompletionStage<?>) answer).thenApply(SessionStoresTest::withSession)
                            : answer;
                });
    }

    private static Object withSession(Object answer) {
        return answer instanceof Attempt.Granted granted ? Attempt.granted(granted.fence(), SESSION) : answer;
    }

    @Test
    void aMajorityOfThem_isRefused_andLeavesNothing() throws Exception {
        Interlock refused = client(quorum(3));
        assertThatThrownBy(() -> refused.lock("a").tryAcquire(Patience.limit(), TERM))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("at most 1 of 3")
                .hasMessageContaining("'a'");
        assertNothingStands();
    }

    /**
     * Which of them grant first is chance: two of three are too many as soon as both have granted, whoever has a
     * majority then.
     */
    @Test
    void whoHasBeenSeenToBeOne_countsFromThenOn() throws Exception {
        Interlock client = client(quorum(2));
        try (Lease elsewhere = holder(2).lock("a").acquire(TERM);
                Lease lease =
                        client.lock("a").tryAcquire(Patience.limit(), TERM).orElseThrow()) {
            assertThat(List.of(elsewhere, lease)).allMatch(Lease::isValid);
        }
        try (Lease elsewhere = holder(1).lock("a").acquire(TERM)) {
            assertThatThrownBy(() -> client.lock("a").tryAcquire(Patience.limit(), TERM))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThat(elsewhere.isValid()).isTrue();
        }
        assertNothingStands();
    }

    private Interlock holder(int store) {
        return client(nodes.stores().get(store).session());
    }

    @Test
    void aMinorityOfThem_isNot() throws Exception {
        try (Lease lease =
                client(quorum(1)).lock("a").tryAcquire(Patience.limit(), TERM).orElseThrow()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    private void assertNothingStands() {
        await().untilAsserted(() -> assertThat(nodes.stores()).noneMatch(store -> {
            var status = store.inspect(LockId.lock("a")).toCompletableFuture().join();
            return status.isLocked() || !status.waiters().isEmpty();
        }));
    }
}
