package dev.interlock.micrometer;

import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The meters of all acquisitions with the same tags. The acquisitions share this object, so none costs an object of its
 * own. Counters are registered at once, so that a query sees their first increase; timers when something is timed,
 * since each may have a histogram. Thread-safe.
 */
final class LockMeters implements LockObserver.Acquisition {

    private final Meters meters;
    private final Tags tags;
    private final LongAdder waiters = new LongAdder();
    private final LongAdder active = new LongAdder();
    private final Map<String, Counter> acquisitions;
    private final Map<LossCause, Counter> losses;
    private final Counter handOvers;
    private final Map<String, Timer> waits = new ConcurrentHashMap<>();
    private final Map<String, Timer> holds = new ConcurrentHashMap<>();

    LockMeters(Meters meters, Tags tags) {
        this.meters = meters;
        this.tags = tags;
        meters.waiters(tags, waiters::sum);
        meters.activeLeases(tags, active::sum);
        this.acquisitions = each(TagValues.OUTCOMES, outcome -> meters.acquisitions(tags.and("outcome", outcome)));
        this.losses =
                each(Arrays.asList(LossCause.values()), cause -> meters.losses(tags.and("cause", TagValues.of(cause))));
        this.handOvers = meters.handOvers(tags);
    }

    private static <K, M> Map<K, M> each(Collection<K> keys, Function<K, M> meter) {
        return keys.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), meter));
    }

    /** A caller begins. */
    LockMeters begun() {
        waiters.increment();
        return this;
    }

    @Override
    public void acquired(long token, LeaseOrigin origin, Duration waited) {
        active.increment();
        if (origin == LeaseOrigin.HAND_OVER) {
            handOvers.increment();
        }
        waitEnded(TagValues.ACQUIRED, waited);
    }

    @Override
    public void gaveUp(@Nullable Throwable failure, Duration waited) {
        waitEnded(TagValues.outcome(failure), waited);
    }

    private void waitEnded(String outcome, Duration waited) {
        waiters.decrement();
        Counter counter = acquisitions.get(outcome);
        if (counter != null) {
            counter.increment();
        }
        time(waits, outcome, waited, meters::wait);
    }

    @Override
    public void ended(ReleaseOutcome outcome, Duration held) {
        active.decrement();
        LossCause cause = outcome.lossCause();
        Counter counter = cause == null ? null : losses.get(cause);
        if (counter != null) {
            counter.increment();
        }
        time(holds, TagValues.of(outcome.status()), held, meters::hold);
    }

    private void time(Map<String, Timer> timers, String outcome, Duration duration, Function<Tags, Timer> register) {
        Timer timer = timers.get(outcome);
        if (timer == null) {
            timer = timers.computeIfAbsent(outcome, value -> register.apply(tags.and("outcome", value)));
        }
        timer.record(duration);
    }
}
