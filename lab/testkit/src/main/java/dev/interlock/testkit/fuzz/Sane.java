package dev.interlock.testkit.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a look at a name may always count on, whoever has written what is in the store. */
public final class Sane {

    /** The largest token of a grant. */
    private static final long LARGEST_TOKEN = Attempt.token(Attempt.LARGEST_FENCE);

    private Sane() {}

    /**
     * The answer of a verb; null if it ends with an exception that a store may end with.
     *
     * @throws AssertionError if it ends with another exception, which nobody has thought of
     */
    public static <T> @Nullable T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(LockStore.causeOf(e))
                    .isInstanceOfAny(
                            IllegalStateException.class,
                            UnsupportedOperationException.class,
                            StoreUnavailableException.class);
            return null;
        }
    }

    /** Whether somebody holds for so long that no test outlasts it. */
    public static boolean isHeld(@Nullable LockStatus status) {
        return status != null
                && status.holders().stream()
                        .anyMatch(holder -> holder.remainingLease().compareTo(Duration.ofMinutes(2)) > 0);
    }

    /** Checks what a store says of a name. */
    public static void check(LockStatus status) {
        assertThat(status.count()).isNotNegative();
        for (LockStatus.Holder holder : status.holders()) {
            assertThat(holder.owner()).isNotNull();
            assertThat(holder.token()).isBetween(0L, LARGEST_TOKEN);
            check(holder.heldFor());
            check(holder.remainingLease());
            check(holder.mode());
            assertThat(holder.party().host()).isNotNull();
        }
        for (LockStatus.Waiter waiter : status.waiters()) {
            assertThat(waiter.owner()).isNotNull();
            check(waiter.waitingFor());
            check(waiter.mode());
            assertThat(waiter.party().host()).isNotNull();
        }
    }

    /** A length that any caller can show and compare: not negative, and within nanoseconds. */
    private static void check(Duration length) {
        assertThat(length.toNanos()).isNotNegative();
    }

    private static void check(Mode mode) {
        if (mode instanceof Mode.Permits permits) {
            assertThat(permits.count()).isPositive();
        }
    }
}
