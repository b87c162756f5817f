package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The verbs of a majority of three stores, without an engine, on a clock of their own. */
class QuorumVerbsTest {

    private static final LockId ID = LockId.lock("a");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final AtomicLong clock = new AtomicLong(1);
    private final MemoryNodes nodes = new MemoryNodes(
            Stream.generate(() -> new MemoryStore(clock::get)).limit(3).toList());
    private final QuorumStore quorum = nodes.quorum();
    private final QuorumStore other = nodes.quorum();

    @AfterEach
    void close() {
        quorum.close();
        other.close();
        nodes.close();
    }

    @Test
    void sameClaimAgain_hasTheSameFence() throws Exception {
        Claim claim = claim("client", 1);
        long fence = granted(quorum, claim);
        assertThat(granted(quorum, claim)).isEqualTo(fence);
        assertThat(answer(quorum.release(claim))).isTrue();
        assertThat(granted(quorum, claim)).as("a new acquisition").isGreaterThan(fence);
    }

    @Test
    void conversion_takesThePlaceOfTheClaimThatItReplaces() throws Exception {
        Claim first = claim("client", 1);
        Claim second = claim("client", 2);
        granted(quorum, first);
        granted(quorum, second.replacing(first.owner()));
        assertThat(answer(quorum.inspect(ID)).holders())
                .extracting(LockStatus.Holder::owner)
                .containsExactly("client:2");
        assertThat(answer(quorum.renew(List.of(second)))).containsEntry(second, Renewal.HELD);
        assertThat(answer(quorum.release(first))).isFalse();
        assertThat(answer(quorum.release(second))).isTrue();
    }

    /** The owners in the stores have the number of the first round, which another client can know. */
    @Test
    void conversion_ofAClaimThatAnotherClientHolds_takesItsPlace() throws Exception {
        granted(quorum, claim("client", 1));
        Claim second = claim("client", 2);
        granted(other, second.replacing(OwnerId.of("client", 1)));
        assertThat(answer(other.release(second))).isTrue();
        assertThat(answer(quorum.inspect(ID)).isLocked()).isFalse();
    }

    @Test
    void waiter_isListed_bySinceWhenItWaits() throws Exception {
        Claim holder = claim("client", 1);
        granted(quorum, holder);
        Claim first = claim("other", 1).waiting(Duration.ZERO);
        Claim second = claim("other", 2).waiting(Duration.ZERO);
        assertThat(answer(other.acquire(first))).isInstanceOf(Attempt.Busy.class);
        pass(Duration.ofMillis(1));
        assertThat(answer(other.acquire(second))).isInstanceOf(Attempt.Busy.class);
        assertThat(answer(quorum.inspect(ID)).waiters())
                .extracting(LockStatus.Waiter::owner)
                .containsExactly("other:1", "other:2");
    }

    /** In one store alone it waits for that store, not for the lock. */
    @Test
    void waiterOfAMinority_isNotListed() throws Exception {
        Claim stranger = claim("stranger", 1);
        granted(nodes.stores().get(0), stranger);
        nodes.stores().get(0).acquire(claim("stranger", 2).waiting(Duration.ZERO));
        LockStatus status = answer(quorum.inspect(ID));
        assertThat(status.holders()).isEmpty();
        assertThat(status.waiters()).isEmpty();
        assertThat(answer(quorum.list("", 10))).isEmpty();
    }

    @Test
    void renewal_tellsWhetherTheClaimWasTakenOrDeleted() throws Exception {
        Claim claim = claim("client", 1);
        granted(quorum, claim);
        pass(LEASE);
        Claim later = claim("other", 1);
        granted(other, later);
        assertThat(answer(quorum.renew(List.of(claim)))).isEqualTo(Map.of(claim, Renewal.TAKEN));
        assertThat(answer(other.release(later))).isTrue();
        assertThat(answer(quorum.renew(List.of(claim)))).isEqualTo(Map.of(claim, Renewal.DELETED));
        assertThat(answer(quorum.renew(List.of()))).isEmpty();
    }

    @Test
    void claimThatIsLeftToLapse_isHeldUntilThen_alsoIfItIsReleasedAgain() throws Exception {
        Claim claim = claim("client", 1);
        granted(quorum, claim);
        Claim lapsing = claim.lapsing(LEASE);
        assertThat(answer(quorum.release(lapsing))).isTrue();
        assertThat(answer(other.release(lapsing)))
                .as("repeated by a client that does not know it")
                .isTrue();
        pass(LEASE.minusMillis(1));
        assertThat(answer(other.acquire(claim("other", 1)))).isInstanceOf(Attempt.Busy.class);
        pass(Duration.ofMillis(1));
        assertThat(answer(other.release(lapsing))).isFalse();
        granted(other, claim("other", 2));
    }

    /** Whoever took the name of a register for a lock of his own keeps no one from the lock. */
    @Test
    void lockInThePlaceOfARegister_countsAsNoFence() throws Exception {
        LockId register = FenceRegister.of(ID);
        for (MemoryStore store : nodes.stores()) {
            granted(store, Claim.of(register, new OwnerId("stranger:one"), LEASE, Party.UNKNOWN));
        }
        Claim claim = claim("client", 1);
        long fence = granted(quorum, claim);
        assertThat(answer(quorum.release(claim))).isTrue();
        assertThat(granted(other, claim("other", 1))).isGreaterThan(fence);
    }

    @Test
    void listing_needsAMajorityThatCanList() throws Exception {
        try (QuorumStore one = QuorumStore.over(withoutCatalog(1))) {
            granted(quorum, claim("client", 1));
            assertThat(one.capabilities()).contains(Capability.LISTING);
            assertThat(answer(one.list("", 10))).extracting(LockStatus::name).containsExactly("a");
        }
        try (QuorumStore two = QuorumStore.over(withoutCatalog(2))) {
            assertThat(two.capabilities()).doesNotContain(Capability.LISTING);
            assertThatThrownBy(() -> answer(two.list("", 10)))
                    .rootCause()
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageStartingWith("This store cannot list its locks");
        }
    }

    /** Stores of which some have the five verbs only. */
    private List<LockStore> withoutCatalog(int count) {
        List<LockStore> all = nodes.sessions(store -> store);
        return Stream.concat(
                        all.stream().limit(count).map(QuorumVerbsTest::verbsOf),
                        all.stream().skip(count))
                .toList();
    }

    private static LockStore verbsOf(LockStore store) {
        return (LockStore) Proxy.newProxyInstance(
                QuorumVerbsTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("capabilities") ? Set.of() : method.invoke(store, arguments));
    }

    private static Claim claim(String client, int number) {
        return Claim.of(ID, OwnerId.of(client, number), LEASE, Party.UNKNOWN);
    }

    private static long granted(LockStore store, Claim claim) throws Exception {
        return ((Attempt.Granted) answer(store.acquire(claim))).fence();
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
