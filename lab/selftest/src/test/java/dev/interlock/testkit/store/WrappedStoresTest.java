package dev.interlock.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.FlakyStore.BadRenewals;
import dev.interlock.testkit.store.FlakyStore.Rates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class WrappedStoresTest {

    private static final LockId LOCK = LockId.lock("wrapped");
    private static final Claim CLAIM = claim(1);

    private final MemoryStore memory = new MemoryStore();

    @Test
    void counting_countsEachVerb_andWakes() {
        CountingStore store = new CountingStore(memory);
        store.onWake(id -> {});
        store.acquire(CLAIM);
        store.acquire(claim(2).waiting(Duration.ZERO));
        store.renew(List.of(CLAIM));
        store.inspect(LOCK);
        store.list("", 1);
        store.release(CLAIM);

        assertThat(store.requests(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(store.requests(Verb.RELEASE)).isEqualTo(1);
        assertThat(store.requests(Verb.RENEW)).isEqualTo(1);
        assertThat(store.requests()).isEqualTo(6);
        assertThat(store.wakes()).isEqualTo(1);
    }

    @Test
    void placeWatch_knowsHowLongAWaitingClaimHasBeenSilent() {
        PlaceWatch places = new PlaceWatch();
        LockStore store = places.around(memory);
        Duration silence = Duration.ofMillis(50);
        store.acquire(CLAIM);
        await().pollDelay(silence).until(() -> true);
        assertThat(places.longestSilence()).as("of a claim that holds").isZero();
        Claim waiting = claim(2).waiting(Duration.ZERO);
        store.acquire(waiting);

        await().until(() -> places.longestSilence().compareTo(silence) > 0);
        store.release(waiting);

        Duration longest = places.longestSilence();
        await().pollDelay(silence).until(() -> true);
        assertThat(places.longestSilence()).as("after it has given up").isEqualTo(longest);
    }

    @Test
    void switchable_silent_executesNothing() {
        SwitchableStore store = new SwitchableStore(memory);
        store.mode(SwitchableStore.Mode.SILENT);

        CompletableFuture<Attempt> asked = store.acquire(CLAIM).toCompletableFuture();

        assertThat(asked).isNotDone();
        assertThat(store.struck()).isEqualTo(1);
        assertThat(isLocked()).isFalse();
        store.mode(SwitchableStore.Mode.HEALTHY);
        assertThat(store.acquire(CLAIM).toCompletableFuture()).isCompleted();
    }

    @Test
    void switchable_deaf_executes_andLosesTheAnswer() {
        SwitchableStore store = new SwitchableStore(memory);
        store.mode(SwitchableStore.Mode.DEAF);

        assertThat(store.acquire(CLAIM).toCompletableFuture()).isNotDone();

        assertThat(isLocked()).isTrue();
    }

    @Test
    void switchable_grantingUnseen_executesAcquiresOnly() {
        SwitchableStore store = new SwitchableStore(memory);
        store.mode(SwitchableStore.Mode.GRANTING_UNSEEN);

        assertThat(store.acquire(CLAIM).toCompletableFuture()).isNotDone();
        assertThat(store.release(CLAIM).toCompletableFuture()).isNotDone();

        assertThat(isLocked()).isTrue();
        assertThat(store.struck()).isEqualTo(2);
    }

    @Test
    void switchable_refusing_failsAtOnce_andExecutesNothing() {
        SwitchableStore store = new SwitchableStore(memory);
        store.mode(SwitchableStore.Mode.REFUSING);

        assertThat(store.acquire(CLAIM).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("refused by the test");
        assertThat(isLocked()).isFalse();
    }

    @Test
    void flaky_dropsAbout20PercentOfReplies_afterExecutingThem() {
        FlakyStore store = new FlakyStore(memory, 1, Rates.NONE.withDroppedReplies(0.2));
        int answered = 0;
        for (int i = 0; i < 1000; i++) {
            Claim claim = claim(100 + i);
            answered += store.acquire(claim).toCompletableFuture().isDone() ? 1 : 0;
            assertThat(memory.release(claim).toCompletableFuture()).isCompletedWithValue(true);
        }

        assertThat(store.droppedReplies()).isBetween(150L, 250L).isEqualTo(1000 - answered);
    }

    @Test
    void flaky_repeatsItsDecisions_forTheSameSeed() {
        assertThat(decisions(7)).isEqualTo(decisions(7)).isNotEqualTo(decisions(8));
    }

    @Test
    void flaky_failsRenewals_losesWakes_andDelays() {
        FlakyStore store = new FlakyStore(
                memory, 3, Rates.NONE.withFailedRenewals(1).withLostWakes(1).withDelays(1, Duration.ofMillis(20)));
        List<LockId> wakes = new ArrayList<>();
        store.onWake(wake -> wakes.add(wake.id()));

        assertThat(store.acquire(CLAIM).toCompletableFuture()).succeedsWithin(Patience.limit());
        assertThat(store.acquire(claim(2).waiting(Duration.ZERO)).toCompletableFuture())
                .succeedsWithin(Patience.limit());
        assertThat(store.renew(List.of(CLAIM)).toCompletableFuture()).isCompletedExceptionally();
        assertThat(store.release(CLAIM).toCompletableFuture()).succeedsWithin(Patience.limit());

        assertThat(wakes).isEmpty();
        assertThat(store.lostWakes()).isEqualTo(1);
        assertThat(store.failedRenewals()).isEqualTo(1);
        assertThat(store.delayedReplies()).isEqualTo(3);
    }

    @Test
    void flaky_ofBadRenewals_failsSome_andPassesAfterARun() {
        FlakyStore store = new FlakyStore(memory, 5, Rates.NONE.withBadRenewals(new BadRenewals(0.5, 0.5, 3)));
        store.acquire(CLAIM);
        int silent = 0;
        int failed = 0;
        for (int i = 1; i <= 400; i++) {
            CompletableFuture<?> renewed = store.renew(List.of(CLAIM)).toCompletableFuture();
            assertThat(renewed.isDone() && !renewed.isCompletedExceptionally()).isEqualTo(i % 4 == 0);
            silent += renewed.isDone() ? 0 : 1;
            failed += renewed.isCompletedExceptionally() ? 1 : 0;
        }

        assertThat(store.vanishedRenewals()).isEqualTo(silent).isBetween(100L, 200L);
        assertThat(store.failedRenewals()).isEqualTo(failed);
        assertThat(store.passedRenewals()).isEqualTo(100);
    }

    private static List<Boolean> decisions(long seed) {
        FlakyStore store = new FlakyStore(new MemoryStore(), seed, Rates.NONE.withDroppedReplies(0.5));
        List<Boolean> answered = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            answered.add(store.inspect(LOCK).toCompletableFuture().isDone());
        }
        return answered;
    }

    private boolean isLocked() {
        return memory.inspect(LOCK).toCompletableFuture().join().isLocked();
    }

    private static Claim claim(long sequence) {
        return Claim.of(LOCK, OwnerId.of("client", sequence), Duration.ofMinutes(1), Party.UNKNOWN);
    }
}
