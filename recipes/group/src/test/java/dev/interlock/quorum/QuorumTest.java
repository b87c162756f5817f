package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.SwitchableStore;
import dev.interlock.testkit.store.SwitchableStore.Mode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A majority of stores of which some fail: the criterion P19, part by part. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuorumTest {

    /** Renewed long before its end also by a slow machine. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final LeaseTerm RENEWING = LeaseTerm.renewing(LEASE);
    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));

    private final List<SwitchableStore> switches = new ArrayList<>();
    private final List<Interlock> clients = new ArrayList<>();
    private MemoryNodes nodes = MemoryNodes.of(3);

    @AfterEach
    void close() {
        switches.forEach(node -> node.mode(Mode.HEALTHY));
        clients.forEach(Interlock::close);
        nodes.close();
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(5));
    }

    private Interlock client(LockStore store) {
        Interlock client =
                Interlock.builder(store).attemptTimeout(Duration.ofMillis(700)).build();
        clients.add(client);
        return client;
    }

    /** A client whose way to each store can be cut. */
    private Interlock switched(int count) {
        return switched(count, Duration.ofMillis(200));
    }

    private Interlock switched(int count, Duration timeout) {
        if (nodes.stores().size() != count) {
            nodes.close();
            nodes = MemoryNodes.of(count);
        }
        return client(QuorumStore.over(
                nodes.sessions(store -> {
                    SwitchableStore node = new SwitchableStore(store);
                    switches.add(node);
                    return node;
                }),
                timeout));
    }

    private void cut(Mode mode, int... stores) {
        for (int store : stores) {
            switches.get(store).mode(mode);
        }
    }

    private void assertFreeEverywhere(String name) {
        for (MemoryStore store : nodes.stores()) {
            await().untilAsserted(() -> assertThat(store.inspect(LockId.lock(name))
                            .toCompletableFuture()
                            .join())
                    .as("%s", name)
                    .matches(status ->
                            status.holders().isEmpty() && status.waiters().isEmpty()));
        }
    }

    /** No store answers before all have been asked: one after the other, nothing would ever be granted. */
    @Test
    void P19_allStores_areAskedInParallel() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Boolean> allAsked = new CompletableFuture<>();
        List<LockStore> together = nodes.sessions(store -> intercepted(store, request -> {
            if (asked.incrementAndGet() == 3) {
                allAsked.complete(true);
            }
            return allAsked.thenCompose(yes -> request.get());
        }));
        try (Lease lease = client(QuorumStore.over(together)).lock("a").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(asked.get()).isGreaterThanOrEqualTo(3);
        }
    }

    private interface Interceptor {
        CompletionStage<?> acquire(Supplier<CompletionStage<?>> request);
    }

    private static LockStore intercepted(LockStore inner, Interceptor interceptor) {
        return (LockStore) Proxy.newProxyInstance(
                QuorumTest.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("acquire")) {
                        return method.invoke(inner, arguments);
                    }
                    return interceptor.acquire(() -> {
                        try {
                            return (CompletionStage<?>) method.invoke(inner, arguments);
                        } catch (ReflectiveOperationException e) {
                            throw new LinkageError("The store could not be asked", e);
                        }
                    });
                });
    }

    /** Stores that answer, but later than the lease allows: that is no grant, and nothing of it stays. */
    @Test
    void P19_answersThatComeTooLate_areNoGrant() throws Exception {
        List<FlakyStore> late = new ArrayList<>();
        List<LockStore> stores = nodes.sessions(store -> {
            FlakyStore flaky = new FlakyStore(store, 7, FlakyStore.Rates.NONE);
            late.add(flaky);
            return flaky;
        });
        Interlock client = client(QuorumStore.over(stores, Duration.ofSeconds(5)));
        late.forEach(store -> store.rates(FlakyStore.Rates.NONE.withDelays(1, Duration.ofMinutes(1))));
        DistributedLock lock = client.lock("late");
        LeaseTerm term = LeaseTerm.fixed(Duration.ofMillis(300));
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1), term))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(late).allMatch(store -> store.delayedReplies() > 0);
        late.forEach(store -> store.rates(FlakyStore.Rates.NONE));
        assertFreeEverywhere("late");
        assertThat(lock.tryAcquire(Patience.limit(), term)).as("in time").isPresent();
    }

    @ParameterizedTest
    @CsvSource({"3, SILENT", "3, DEAF", "5, SILENT", "5, REFUSING"})
    void P19_aMinorityThatFails_isNotNoticed(int count, Mode mode) throws Exception {
        Interlock client = switched(count);
        for (int store = 0; store < count / 2; store++) {
            cut(mode, store);
        }
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        Lease lease = client.lock("a").acquire(RENEWING);
        lease.onLost(told::add);
        long before = switches.get(0).struck();
        // Two renewals, and the second one is more than half a lease after the first request.
        await().until(() -> switches.get(0).struck() >= before + 2);
        assertThat(lease.isValid()).isTrue();
        assertThat(told).isEmpty();
        assertThat(lease.release().isLost()).isFalse();
        for (int store = 0; store < count / 2; store++) {
            assertThat(switches.get(store).struck()).isPositive();
            cut(Mode.HEALTHY, store);
        }
        assertFreeEverywhere("a");
    }

    /** That the lock is held is known without the frozen store, and long before its time-out. */
    @Test
    void P19_aMinorityThatFails_isNoExcuse_ifTheLockIsHeld() throws Exception {
        Interlock client = switched(3, Duration.ofSeconds(30));
        Lease lease = client(nodes.quorum()).lock("a").acquire(LONG);
        cut(Mode.SILENT, 2);
        assertThat(client.lock("a").tryLock(Duration.ofSeconds(3))).isFalse();
        assertThat(switches.get(2).struck()).isPositive();
        lease.close();
        assertThat(client.lock("a").tryLock(Patience.limit())).isTrue();
        client.lock("a").unlock();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void P19_aMajorityThatFails_isReportedOnce(int count) throws Exception {
        Interlock client = switched(count);
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        Lease lease = client.lock("a").acquire(RENEWING);
        lease.onLost(told::add);
        for (int store = 0; store <= count / 2; store++) {
            cut(Mode.SILENT, store);
        }
        await().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LossCause.STORE_UNREACHABLE);
        assertThat(lease.isValid()).isFalse();
        for (int store = 0; store <= count / 2; store++) {
            assertThat(switches.get(store).struck()).isPositive();
        }
        assertThatThrownBy(() -> client.lock("b").tryLock(Duration.ofSeconds(1)))
                .isInstanceOf(StoreUnavailableException.class);
        switches.forEach(node -> node.mode(Mode.HEALTHY));
        assertThat(client.lock("a").tryLock(Patience.limit())).isTrue();
        client.lock("a").unlock();
        assertFreeEverywhere("a");
        assertFreeEverywhere("b");
        assertThat(told).hasSize(1);
    }

    /** One store that has lost the claim is not the end, two of three are, and at the next renewal. */
    @Test
    void P19_claimsThatAreGone_areALoss_whenNoMajorityIsLeft() throws Exception {
        Interlock client = client(nodes.quorum());
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        Lease lease = client.lock("a").acquire(RENEWING);
        lease.onLost(told::add);
        nodes.forceUnlockIn(0, "a");
        await().during(LEASE).until(() -> lease.isValid() && told.isEmpty());
        nodes.forceUnlockIn(1, "a");
        await().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LossCause.FORCED);
        assertThat(lease.release().lossCause()).isEqualTo(LossCause.FORCED);
        assertFreeEverywhere("a");
    }

    /** A store that granted, but whose answer was lost, is free again long before the lease is over. */
    @Test
    void P19_whatAMinorityGranted_goesBack_alsoWithoutAnAnswer() throws Exception {
        Interlock holder = switched(3);
        Interlock other = client(nodes.quorum());
        cut(Mode.REFUSING, 2);
        Lease held = holder.lock("a").acquire(LONG);
        switches.clear();
        Interlock late = switched(3);
        cut(Mode.DEAF, 2);
        assertThat(late.lock("a").tryAcquire(Duration.ofSeconds(3), LONG)).isEmpty();
        assertThat(switches.get(2).struck()).isPositive();
        cut(Mode.HEALTHY, 2);
        await().until(() -> !isLockedIn(2));
        held.close();
        assertThat(other.lock("a").tryLock(Patience.limit())).isTrue();
        other.lock("a").unlock();
        assertFreeEverywhere("a");
    }

    private boolean isLockedIn(int store) {
        return nodes.stores()
                .get(store)
                .inspect(LockId.lock("a"))
                .toCompletableFuture()
                .join()
                .isLocked();
    }

    /** I3: stores that count for themselves, far apart, and majorities that change. */
    @Test
    void P19_tokens_increaseOverAllMajorities() throws Exception {
        Interlock client = switched(3);
        // The second store has counted to 5000, the others have just begun.
        try (Interlock second =
                Interlock.builder(nodes.stores().get(1).session()).build()) {
            for (int i = 0; i < 5_000; i++) {
                second.lock("other").acquire().close();
            }
        }
        long last = 0;
        for (int absent : new int[] {2, 1, 0, 1, 2, 0, 1}) {
            cut(Mode.REFUSING, absent);
            try (Lease lease = client.lock("a").acquire(LONG)) {
                assertThat(lease.token()).as("without store %d", absent).isGreaterThan(last);
                last = lease.token();
            }
            cut(Mode.HEALTHY, absent);
            assertFreeEverywhere("a");
        }
        // The control: what the first and the third store count by themselves is far behind.
        for (int store : new int[] {0, 2}) {
            try (Interlock node = Interlock.builder(nodes.stores().get(store).session())
                            .build();
                    Lease lease = node.lock("a").acquire()) {
                assertThat(lease.token()).isLessThan(last);
            }
        }
    }

    @Test
    void stores_thatAreNoQuorum_areRefused() {
        List<MemoryStore> four = MemoryNodes.of(4).stores();
        for (int count : new int[] {0, 1, 2, 4}) {
            assertThatThrownBy(() -> QuorumStore.over(four.subList(0, count)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("odd")
                    .hasMessageEndingWith(": " + count);
        }
        MemoryStore twice = four.get(0);
        assertThatThrownBy(() -> QuorumStore.over(List.of(twice, four.get(1), twice)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number 1 and number 3");
        assertThatThrownBy(() -> QuorumStore.over(four.subList(0, 3), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
        Duration tooLong = LeaseTerm.MAX.plusNanos(1);
        assertThatThrownBy(() -> QuorumStore.over(four.subList(0, 3), tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(tooLong.toString());
        QuorumStore.over(four.subList(0, 3), LeaseTerm.MAX).close();
    }

    @Test
    void otherKinds_areRefused() {
        Interlock client = client(nodes.quorum());
        assertThatThrownBy(
                        () -> client.lock("a", LockOptions.builder().fair(true).build())
                                .lock())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("name=a");
    }
}
