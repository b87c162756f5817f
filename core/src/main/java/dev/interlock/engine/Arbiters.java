package dev.interlock.engine;

import dev.interlock.spi.LockId;
import dev.interlock.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The arbiters of a client: one for each name that callers share, and one for each caller that stands alone.
 * Thread-safe.
 */
final class Arbiters {

    private final EngineContext context;
    private final Consumer<Arbiter> whenRetired = this::retire;
    private final Map<LockId, Arbiter> shared = new ConcurrentHashMap<>();

    /** No set in it is empty. */
    private final Map<LockId, Set<Arbiter>> alone = new ConcurrentHashMap<>();

    private final AtomicInteger arrivals = new AtomicInteger();

    Arbiters(EngineContext context) {
        this.context = context;
    }

    /** Has one line up that had to ask for itself, and was told that there are no permits. */
    Arbiter lineUp(Waiter waiter) {
        waiter.lineUp();
        return submit(waiter);
    }

    /** Puts the caller into the queue of its name, or into one of its own. */
    Arbiter submit(Waiter waiter) {
        context.supervisor().begin();
        Request request = waiter.request();
        boolean alone = request.standsAlone();
        while (true) {
            Arbiter arbiter = alone
                    ? alone(request.id())
                    : shared.computeIfAbsent(request.id(), id -> new Arbiter(context, id, false, 0, whenRetired));
            if (arbiter.submit(waiter)) {
                Watch watch = waiter.watch();
                // One that was sent away may not have to wait.
                boolean waits = alone == request.standsAlone() && !waiter.isSingleAttempt();
                if (watch != null && waits && waiter.outcome() == null) {
                    watch.waiting(
                            waiter instanceof BlockedCaller,
                            reason -> arbiter.abandon(waiter, true, Objects.requireNonNull(reason, "reason")));
                }
                return arbiter;
            }
            // An arbiter that retired between the lookup and the submit has left the map: take the next one.
            alone |= waiter.isSentAway();
        }
    }

    private Arbiter alone(LockId id) {
        Arbiter arbiter = new Arbiter(context, id, true, arrivals.incrementAndGet(), whenRetired);
        alone.compute(id, (key, present) -> {
            Set<Arbiter> those = present == null ? ConcurrentHashMap.newKeySet(2) : present;
            those.add(arbiter);
            return those;
        });
        return arbiter;
    }

    /** Takes an arbiter out of the map. Called under its monitor. */
    private void retire(Arbiter arbiter) {
        LockId id = arbiter.id();
        if (!shared.remove(id, arbiter)) {
            alone.computeIfPresent(id, (key, those) -> {
                those.remove(arbiter);
                return those.isEmpty() ? null : those;
            });
        }
    }

    /** The arbiters of one name. */
    List<Arbiter> of(LockId id) {
        List<Arbiter> found = new ArrayList<>();
        Arbiter common = shared.get(id);
        if (common != null) {
            found.add(common);
        }
        found.addAll(alone.getOrDefault(id, Set.of()));
        return found;
    }

    /** Passes a wake on. If the claim is not here any more, it is being released. */
    void wake(Wake wake) {
        of(wake.id()).forEach(arbiter -> arbiter.onWake(wake));
    }

    /** A view of all arbiters. */
    Iterable<Arbiter> all() {
        return () -> Stream.concat(
                        shared.values().stream(), alone.values().stream().flatMap(Set::stream))
                .iterator();
    }

    int count() {
        int count = shared.size();
        for (Set<Arbiter> those : alone.values()) {
            count += those.size();
        }
        return count;
    }
}
