package dev.interlock.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whoever is woken asks again at once, within the wake: that must not wake the next, or the stack would grow with the
 * number that waits.
 */
class MemoryWakeTest {

    private static final int WAITING = 100;

    @Test
    void aLatchWakesAllThatWait_oneAfterTheOther() {
        wakesAll(LockKind.LATCH, new Mode.SetCount(1), new Mode.AwaitZero(), new Mode.CountDown());
    }

    @Test
    void permitsWakeAllThatWait_oneAfterTheOther() {
        Mode one = new Mode.Permits(1, WAITING);
        wakesAll(LockKind.SEMAPHORE, new Mode.Permits(WAITING, WAITING), one, null);
    }

    /** Ends by a request in the last mode, or by releasing the first. */
    private static void wakesAll(LockKind kind, Mode first, Mode next, @Nullable Mode end) {
        LockId id = new LockId("n", kind);
        Map<OwnerId, Claim> waiting = new HashMap<>();
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        try (MemoryStore store = new MemoryStore()) {
            store.onWake(wake -> {
                deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
                Claim claim = waiting.get(wake.owner());
                if (claim != null && answer(store, claim) instanceof Attempt.Granted) {
                    waiting.remove(wake.owner());
                }
                depth.decrementAndGet();
            });
            Claim opening = claim(id, first, 0);
            assertThat(answer(store, opening)).isInstanceOf(Attempt.Granted.class);
            for (int i = 1; i <= WAITING; i++) {
                Claim claim = claim(id, next, i).waiting(Duration.ZERO);
                assertThat(answer(store, claim)).isInstanceOf(Attempt.Busy.class);
                waiting.put(claim.owner(), claim);
            }

            if (end == null) {
                var unused = store.release(opening);
            } else {
                answer(store, claim(id, end, WAITING + 1));
            }

            assertThat(waiting).isEmpty();
            assertThat(deepest).hasValue(1);
        }
    }

    private static Claim claim(LockId id, Mode mode, long sequence) {
        return Claim.of(id, mode, OwnerId.of("client", sequence), Duration.ofMinutes(1), Party.UNKNOWN);
    }

    private static Attempt answer(MemoryStore store, Claim claim) {
        return store.acquire(claim).toCompletableFuture().join();
    }
}
