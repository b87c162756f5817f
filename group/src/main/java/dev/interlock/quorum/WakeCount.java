package dev.interlock.quorum;

import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Passes a wake on when a majority of the stores has sent it: a claim that asks after the first one finds the others
 * not yet released, and splits the votes. If no majority comes, because the stores have woken different claims or
 * messages were lost, it is passed on a moment later; and once more if so many come that there were two.
 */
final class WakeCount {

    private static final Duration MOMENT = Duration.ofMillis(20);

    private final int majority;
    private final Consumer<Wake> listener;
    private final Supplier<Executor> moment;
    private final Map<Wake, Integer> counts = new ConcurrentHashMap<>();

    WakeCount(int majority, Consumer<Wake> listener) {
        this(majority, listener, () -> Later.soon(MOMENT));
    }

    /** @param moment gives what runs a task a moment later */
    WakeCount(int majority, Consumer<Wake> listener, Supplier<Executor> moment) {
        this.majority = majority;
        this.listener = listener;
        this.moment = moment;
    }

    void wake(Wake wake) {
        int count = counts.merge(wake, 1, Integer::sum);
        if (count == 1) {
            moment.get().execute(() -> endOf(wake));
        }
        if (count == majority) {
            listener.accept(wake);
        }
    }

    private void endOf(Wake wake) {
        Integer count = counts.remove(wake);
        // More than there are stores: there has been another release since, and whoever asked after the first may have
        // come too early.
        if (count != null && (count < majority || count >= 2 * majority)) {
            listener.accept(wake);
        }
    }
}
