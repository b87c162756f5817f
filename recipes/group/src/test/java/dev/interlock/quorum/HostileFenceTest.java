package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.LockStore;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One store of three grants with fences of which no token can be made. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileFenceTest {

    private final MemoryNodes nodes = MemoryNodes.of(3);

    @AfterEach
    void close() {
        nodes.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0, 1L << 53, Long.MAX_VALUE})
    void itHasNoVote_andItsFenceIsNobodyElses(long fence) throws InterruptedException {
        List<LockStore> stores = new ArrayList<>(nodes.sessions(store -> store));
        stores.set(0, granting(stores.get(0), fence));
        long last = 0;
        try (Interlock client = Interlock.builder(QuorumStore.over(stores)).build()) {
            for (int i = 0; i < 20; i++) {
                try (Lease lease = client.lock("a").acquire()) {
                    assertThat(lease.token()).isGreaterThan(last);
                    last = lease.token();
                }
            }
            await().until(() -> !nodes.isLockedIn(0, "a"));
        }
        try (Interlock sound = Interlock.builder(nodes.quorum()).build();
                Lease lease = sound.lock("a").acquire()) {
            assertThat(lease.token()).isGreaterThan(last);
        }
    }

    private static LockStore granting(LockStore inner, long fence) {
        return (LockStore) Proxy.newProxyInstance(
                HostileFenceTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(inner, arguments);
                    return method.getName().equals("acquire")
                            ? ((CompletionStage<?>) answer)
                                    .thenApply(attempt ->
                                            attempt instanceof Attempt.Granted ? Attempt.granted(fence) : attempt)
                            : answer;
                });
    }
}
