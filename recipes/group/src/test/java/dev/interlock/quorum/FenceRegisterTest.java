package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock that is held for longer than a register lives. Invariant I3: the next token is larger. */
class FenceRegisterTest {

    private final AtomicLong clock = new AtomicLong(1);
    private final MemoryNodes nodes = new MemoryNodes(
            Stream.generate(() -> new MemoryStore(clock::get)).limit(3).toList());
    private final QuorumStore quorum = nodes.quorum();

    @AfterEach
    void close() {
        quorum.close();
        nodes.close();
    }

    @Test
    void P19_renewals_keepTheRegister() {
        Claim claim = claim(Duration.ofSeconds(30));
        long fence = acquired(claim);
        for (int renewal = 0; renewal < 1_000; renewal++) {
            pass(Duration.ofSeconds(10));
            renew(claim);
        }
        assertThat(registers()).hasSizeGreaterThanOrEqualTo(2).containsOnly(fence);
        pass(Duration.ofMinutes(61));
        assertThat(registers()).as("and it outlives them").hasSizeGreaterThanOrEqualTo(2);
        pass(Duration.ofMinutes(61));
        assertThat(registers()).isEmpty();
    }

    @Test
    void P19_theRegister_outlivesALongLease() {
        long fence = acquired(claim(Duration.ofHours(8)));
        pass(Duration.ofHours(8).plusMinutes(59));
        assertThat(registers()).containsOnly(fence);
    }

    @Test
    void P19_theRegister_outlivesAnExtendedLease() {
        Claim claim = claim(Duration.ofMinutes(1));
        long fence = acquired(claim);
        renew(claim.withLease(Duration.ofHours(8)));
        pass(Duration.ofHours(8).plusMinutes(59));
        assertThat(registers()).containsOnly(fence);
    }

    /** The register is not written again for so little: the lease may run to its end all the same. */
    @Test
    void P19_theRegister_outlivesALeaseThatIsExtendedALittle() {
        Claim claim = claim(Duration.ofMinutes(1));
        long fence = acquired(claim);
        renew(claim.withLease(Duration.ofMinutes(44)));
        pass(Duration.ofMinutes(44 + 60));
        assertThat(registers()).containsOnly(fence);
    }

    @Test
    void P19_theRegister_outlivesALeaseThatIsLeftToLapse() {
        Claim claim = claim(Duration.ofMinutes(1));
        long fence = acquired(claim);
        assertThat(quorum.release(claim.lapsing(Duration.ofHours(8)))
                        .toCompletableFuture()
                        .join())
                .isTrue();
        pass(Duration.ofHours(8).plusMinutes(59));
        assertThat(registers()).containsOnly(fence);
    }

    /** Once in a quarter of an hour, and not at all for a claim that this client does not hold. */
    @Test
    void P25_renewals_renewTheRegisterSeldom() {
        List<Integer> renewed = new ArrayList<>();
        List<LockStore> stores = new ArrayList<>(nodes.sessions(store -> store));
        stores.set(0, countingRenewals(stores.get(0), renewed));
        Claim claim = claim(Duration.ofSeconds(30));
        try (QuorumStore counted = QuorumStore.over(stores)) {
            assertThat(counted.acquire(claim).toCompletableFuture().join()).isInstanceOf(Attempt.Granted.class);
            for (int renewal = 1; renewal <= 180; renewal++) {
                pass(Duration.ofSeconds(10));
                assertThat(counted.renew(List.of(claim)).toCompletableFuture().join())
                        .containsEntry(claim, Renewal.HELD);
                assertThat(renewed).as("claims in the renewals").hasSize(renewal);
                assertThat(renewed.get(renewal - 1)).as("renewal %s", renewal).isEqualTo(renewal % 90 == 0 ? 2 : 1);
            }
            renewed.clear();
            Claim unknown = Claim.of(LockId.lock("b"), OwnerId.of("other", 1), Duration.ofHours(8), Party.UNKNOWN);
            counted.renew(List.of(unknown)).toCompletableFuture().join();
            assertThat(renewed).containsExactly(1);
        }
    }

    private static LockStore countingRenewals(LockStore inner, List<Integer> renewed) {
        return (LockStore) Proxy.newProxyInstance(
                FenceRegisterTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("renew")) {
                        renewed.add(((Collection<?>) arguments[0]).size());
                    }
                    return method.invoke(inner, arguments);
                });
    }

    /** What only one store knows would be forgotten with it. */
    @Test
    void P19_acquire_whoseFenceNoMajorityStores_fails() {
        List<LockStore> stores = new ArrayList<>(nodes.sessions(store -> store));
        stores.subList(1, 3).replaceAll(FenceRegisterTest::refusingRegisters);
        try (QuorumStore two = QuorumStore.over(stores)) {
            assertThatThrownBy(() -> two.acquire(claim(Duration.ofMinutes(1)))
                            .toCompletableFuture()
                            .join())
                    .hasCauseInstanceOf(IOException.class)
                    .hasMessageContaining("1 of 3")
                    .hasRootCauseMessage("Refused by the test");
        }
    }

    private static LockStore refusingRegisters(LockStore inner) {
        LockId register = FenceRegister.of(LockId.lock("a"));
        return (LockStore) Proxy.newProxyInstance(
                FenceRegisterTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> method.getName().equals("acquire")
                                && ((Claim) arguments[0]).id().equals(register)
                        ? CompletableFuture.failedFuture(new IllegalStateException("Refused by the test"))
                        : method.invoke(inner, arguments));
    }

    private static Claim claim(Duration lease) {
        return Claim.of(LockId.lock("a"), OwnerId.of("client", 1), lease, Party.UNKNOWN);
    }

    private long acquired(Claim claim) {
        return ((Attempt.Granted) quorum.acquire(claim).toCompletableFuture().join()).fence();
    }

    private void renew(Claim claim) {
        assertThat(quorum.renew(List.of(claim)).toCompletableFuture().join()).containsEntry(claim, Renewal.HELD);
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    /** The fences that the stores show. */
    private List<Long> registers() {
        LockId register = FenceRegister.of(LockId.lock("a"));
        return nodes.stores().stream()
                .map(store -> store.inspect(register).toCompletableFuture().join())
                .filter(LockStatus::isLocked)
                .map(FenceRegister::fence)
                .toList();
    }
}
