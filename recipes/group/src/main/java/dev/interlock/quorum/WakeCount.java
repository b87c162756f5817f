package dev.interlock.quorum;

import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Passes a wake on when a majority of the stores has sent it. A claim that asks after the first wake would find the
 * other stores not yet released, and split the grants. If no majority arrives, because the stores have woken different
 * claims or messages were lost, the wake is passed on after a delay; and once more if so many arrive that there were
 * two releases.
 *
 * <p>Thread-safe: the map is the only state.
 */
final class WakeCount {

    private static final Duration DELAY = Duration.ofMillis(20);

    private final int majority;
    private final Consumer<Wake> listener;
    private final Supplier<Executor> delay;
    private final Map<Wake, Integer> counts = new ConcurrentHashMap<>();

    WakeCount(int majority, Consumer<Wake> listener, QuorumTime time) {
        this(majority, listener, () -> time.upTo(DELAY));
    }

    /** @param delay supplies executors that run a task after the delay */
    WakeCount(int majority, Consumer<Wake> listener, Supplier<Executor> delay) {
        this.majority = majority;
        this.listener = listener;
        this.delay = delay;
    }

    void wake(Wake wake) {
        int count = counts.merge(wake, 1, Integer::sum);
        if (count == 1) {
            delay.get().execute(() -> expire(wake));
        }
        if (count == majority) {
            listener.accept(wake);
        }
    }

    private void expire(Wake wake) {
        Integer count = counts.remove(wake);
        // More wakes than one release sends: there was another release, and the claim may have asked too early.
        if (count != null && (count < majority || count >= 2 * majority)) {
            listener.accept(wake);
        }
    }
}
