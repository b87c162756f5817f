package dev.interlock.test;

import dev.interlock.LeaseTerm;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * How the store behaves to the code under test. What a test does itself with {@link Locks}, and what assertions ask,
 * goes past it. Thread-safe; a change counts for requests from then on.
 */
public final class TestStore {

    private enum Behaviour {
        /** Requests are executed and answered. */
        ANSWERS,
        /** Requests do not arrive, and nothing is answered. */
        SILENT,
        /** Each request fails at once. */
        REFUSES
    }

    private final TestClock clock;
    private volatile Behaviour behaviour = Behaviour.ANSWERS;
    private volatile Duration latency = Duration.ZERO;

    TestStore(TestClock clock) {
        this.clock = clock;
    }

    /**
     * From now on the store says nothing, as behind a network that drops everything: requests do not arrive, and wakes
     * are lost. Callers get a {@link dev.interlock.StoreUnavailableException} when their time-outs are over, which are
     * short in a test (see {@link InterlockTest}), or by {@link TestClock#advance}. Leases that cannot be renewed are
     * lost when they end. What is lost in this way stays lost when the store {@linkplain #answer() answers} again.
     */
    public void silent() {
        behaviour = Behaviour.SILENT;
    }

    /** From now on each request fails at once, as when the server is down. Callers try again until they time out. */
    public void refuse() {
        behaviour = Behaviour.REFUSES;
    }

    /**
     * From now on the store executes requests, and its answers arrive this much later, by the clock of the test. More
     * than the client's {@code attemptTimeout} is as silence.
     *
     * @param time zero to 365 days
     * @throws IllegalArgumentException if {@code time} is out of range
     */
    public void latency(Duration time) {
        if (time.isNegative() || time.compareTo(LeaseTerm.MAX) > 0) {
            throw new IllegalArgumentException("A latency must last from zero to " + LeaseTerm.MAX + ": " + time);
        }
        latency = time;
        behaviour = Behaviour.ANSWERS;
    }

    /** From now on the store answers, and at once: what it does at the beginning of each test. */
    public void answer() {
        latency(Duration.ZERO);
    }

    /** Whether requests are executed, and wakes arrive. */
    boolean isReachable() {
        return behaviour == Behaviour.ANSWERS;
    }

    /** Sends the request on, or does not. */
    <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> request) {
        return switch (behaviour) {
            case ANSWERS -> late(request.get(), latency);
            case SILENT -> new CompletableFuture<>();
            case REFUSES ->
                CompletableFuture.failedFuture(new IOException("Connection refused: the test has called refuse()"));
        };
    }

    private <T> CompletionStage<T> late(CompletionStage<T> answer, Duration by) {
        if (by.isZero()) {
            return answer;
        }
        CompletableFuture<T> arriving = new CompletableFuture<>();
        clock.after(
                by,
                () -> answer.whenComplete((value, failure) -> {
                    if (failure == null) {
                        arriving.complete(value);
                    } else {
                        arriving.completeExceptionally(failure);
                    }
                }));
        return arriving;
    }
}
