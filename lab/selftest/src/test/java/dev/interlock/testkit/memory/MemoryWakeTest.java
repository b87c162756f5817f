package dev.interlock.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Whoever is woken asks again at once, within the wake: that must not wake the next, or the stack would grow with the
 * number that waits.
 */
class MemoryWakeTest {

    private static final int WAITING = 100;

    private static final LockId LATCH = new LockId("n", LockKind.LATCH);
    private static final LockId SEMAPHORE = new LockId("n", LockKind.SEMAPHORE);

    private final MemoryStore store = new MemoryStore();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aLatchWakesAllThatWait_oneAfterTheOther() {
        execute(new Command.SetCount(1), 0);

        wakesAll(LATCH, new Mode.AwaitZero(), () -> execute(new Command.CountDown(), WAITING + 1));
    }

    @Test
    void permitsWakeAllThatWait_oneAfterTheOther() {
        Claim all = claim(SEMAPHORE, new Mode.Permits(WAITING, WAITING), 0);
        assertThat(answer(all)).isInstanceOf(Attempt.Granted.class);

        wakesAll(SEMAPHORE, new Mode.Permits(1, WAITING), () -> {
            var unused = store.release(all);
        });
    }

    private void wakesAll(LockId id, Mode wanted, Runnable end) {
        Map<OwnerId, Claim> waiting = new HashMap<>();
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        store.onWake(wake -> {
            deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
            Claim claim = waiting.get(wake.owner());
            if (claim != null && answer(claim) instanceof Attempt.Granted) {
                waiting.remove(wake.owner());
            }
            depth.decrementAndGet();
        });
        for (int i = 1; i <= WAITING; i++) {
            Claim claim = claim(id, wanted, i).waiting(Duration.ZERO);
            assertThat(answer(claim)).isInstanceOf(Attempt.Busy.class);
            waiting.put(claim.owner(), claim);
        }

        end.run();

        assertThat(waiting).isEmpty();
        assertThat(deepest).hasValue(1);
    }

    private void execute(Command.Action action, long sequence) {
        OwnerId owner = OwnerId.of("client", sequence);
        Command command = new Command(LATCH, action, owner, Duration.ofMinutes(1), Party.UNKNOWN);
        assertThat(store.execute(command).toCompletableFuture()).isCompletedWithValue(true);
    }

    private static Claim claim(LockId id, Mode mode, long sequence) {
        return Claim.of(id, mode, OwnerId.of("client", sequence), Duration.ofMinutes(1), Party.UNKNOWN);
    }

    private Attempt answer(Claim claim) {
        return store.acquire(claim).toCompletableFuture().join();
    }
}
