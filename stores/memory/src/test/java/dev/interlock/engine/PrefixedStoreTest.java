package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store behind a prefix: the same store, with other names. */
@Timeout(300)
class PrefixedStoreTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MemoryStore memory = new MemoryStore();
    private final LockStore prefixed = PrefixedStore.of(memory, "p:");

    private static Claim claim(String name) {
        return Claim.of(LockId.lock(name), OwnerId.of("client", 1), MINUTE, Party.UNKNOWN);
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void renewal_isAskedWithThePrefix_andAnsweredWithout() {
        Claim held = claim("held");
        Claim free = claim("free");
        join(prefixed.acquire(held));
        assertThat(join(memory.inspect(LockId.lock("p:held"))).isLocked()).isTrue();

        Map<Claim, Renewal> renewals = join(prefixed.renew(List.of(held, free)));

        assertThat(renewals).containsOnlyKeys(held, free);
        assertThat(renewals.get(held)).isNotEqualTo(renewals.get(free));
        assertThat(renewals)
                .isEqualTo(Map.of(
                        held,
                        join(memory.renew(List.of(held.withId(LockId.lock("p:held")))))
                                .values()
                                .iterator()
                                .next(),
                        free,
                        Renewal.DELETED));
    }

    @Test
    void command_isExecutedWithThePrefix() {
        LockId latch = new LockId("n", LockKind.LATCH);
        OwnerId owner = OwnerId.of("client", 1);

        assertThat(join(prefixed.execute(new Command(latch, new Command.SetCount(2), owner, MINUTE, Party.UNKNOWN))))
                .isTrue();

        assertThat(join(memory.inspect(new LockId("p:n", LockKind.LATCH))).count())
                .isEqualTo(2);
        assertThat(join(memory.inspect(latch)).count()).isZero();
    }

    /** A claim for which the store has no answer has none. */
    @Test
    void renewalThatTheStoreLeavesOut_isLeftOut() {
        LockStore mute = PrefixedStore.of(
                new ForwardingStore(memory) {
                    @Override
                    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
                        return CompletableFuture.completedFuture(Map.of());
                    }
                },
                "p:");
        assertThat(join(mute.renew(List.of(claim("n"))))).isEmpty();
    }

    @Test
    void cancellation_reachesTheRequest() {
        CompletableFuture<LockStatus> request = new CompletableFuture<>();
        LockStore slow = PrefixedStore.of(
                new ForwardingStore(memory) {
                    @Override
                    public CompletionStage<LockStatus> inspect(LockId id) {
                        return request;
                    }
                },
                "p:");
        CompletableFuture<LockStatus> answer = slow.inspect(LockId.lock("n")).toCompletableFuture();
        assertThat(request).isNotDone();
        answer.cancel(false);
        assertThat(request).isCancelled();
    }

    @Test
    void restOfTheStore_isTheStoreBehind() {
        boolean[] closed = new boolean[1];
        LockStore behind = new ForwardingStore(memory) {
            @Override
            public boolean keepsOrder() {
                return true;
            }

            @Override
            public void ensureMayWait() {
                throw new IllegalStateException("Not on this thread");
            }

            @Override
            public void close() {
                closed[0] = true;
            }

            @Override
            public String toString() {
                return "Behind";
            }
        };
        LockStore store = PrefixedStore.of(behind, "p:");
        assertThat(store.keepsOrder()).isTrue();
        assertThat(PrefixedStore.of(new ForwardingStore(memory) {}, "p:").keepsOrder())
                .isFalse();
        assertThat(store.capabilities()).isEqualTo(behind.capabilities()).isNotEmpty();
        assertThatThrownBy(store::ensureMayWait).hasMessage("Not on this thread");
        assertThat(store).hasToString("PrefixedStore[prefix=p:, store=Behind]");
        assertThat(PrefixedStore.behind(store)).isSameAs(behind);
        store.close();
        assertThat(closed[0]).isTrue();
    }
}
