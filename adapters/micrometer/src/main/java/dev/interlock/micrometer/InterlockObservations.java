package dev.interlock.micrometer;

import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Printable;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observations of the locks of a client, of which Micrometer Tracing makes spans: {@value #ACQUIRE} for the wait and
 * {@value #HOLD} for the lease.
 *
 * <pre>{@code
 * Interlock interlock = Interlock.builder(uri)
 *     .observer(new InterlockObservations(registry))
 *     .build();
 * }</pre>
 *
 * <p>Both have as their parent the observation that is current in the caller's thread when it calls, on whatever
 * threads the lease is granted and released. Without one, the wait is the parent of the lease. Neither becomes the
 * current observation: a lease need not end on the thread, or in the order, in which it began. The name of the lock is
 * a key value of high cardinality. Thread-safe.
 */
public final class InterlockObservations implements LockObserver {

    /** The name of the observation that lasts from the call to the lease, or to its end without one. */
    public static final String ACQUIRE = "interlock.acquire";

    /** The name of the observation that lasts from the grant of a lease to its end. */
    public static final String HOLD = "interlock.lease";

    private static final String KIND = "interlock.kind";
    private static final String NAME = "interlock.name";
    private static final String OUTCOME = "interlock.outcome";

    private final ObservationRegistry registry;

    /** @param registry where to observe */
    public InterlockObservations(ObservationRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    @Override
    @SuppressWarnings("exports")
    public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
        return registry.isNoop() ? null : new Observed(name, TagValues.kind(kind, mode));
    }

    private Observation observation(String name, String verb, String lock, String kind) {
        return Observation.createNotStarted(name, registry)
                .contextualName(verb + " " + kind)
                .lowCardinalityKeyValue(KIND, kind)
                .highCardinalityKeyValue(NAME, lock);
    }

    /** One acquisition. Its calls do not overlap, but come on several threads. */
    private final class Observed implements Acquisition {

        private final String name;
        private final String kind;

        /** The observation that is current for the caller, or the wait. */
        private final Observation parent;

        private final Observation wait;
        private volatile @Nullable Observation hold;

        Observed(String name, String kind) {
            this.name = name;
            this.kind = kind;
            Observation current = registry.getCurrentObservation();
            this.wait = observation(ACQUIRE, "acquire", name, kind).start();
            this.parent = current == null ? wait : current;
        }

        @Override
        public void acquired(long token, LeaseOrigin origin, Duration waited) {
            wait.lowCardinalityKeyValue(OUTCOME, TagValues.ACQUIRED).stop();
            Observation next = observation(HOLD, "hold", name, kind)
                    .parentObservation(parent)
                    .lowCardinalityKeyValue("interlock.origin", TagValues.of(origin))
                    .highCardinalityKeyValue("interlock.token", Long.toString(token));
            // A span takes the thread's current one for its parent, and this may be the thread of another request.
            parent.scoped(() -> {
                next.start();
            });
            hold = next;
        }

        @Override
        public void gaveUp(@Nullable Throwable failure, Duration waited) {
            if (failure != null) {
                wait.error(failure);
            }
            wait.lowCardinalityKeyValue(OUTCOME, TagValues.outcome(failure)).stop();
        }

        @Override
        public void ended(ReleaseOutcome outcome, Duration held) {
            Observation ending = hold;
            if (ending == null) {
                return;
            }
            LossCause cause = outcome.lossCause();
            if (cause != null) {
                ending.error(new IllegalMonitorStateException("The lease of lock '" + Printable.of(name)
                        + "' was lost (" + cause + ") before it was released"));
            }
            ending.lowCardinalityKeyValue(OUTCOME, TagValues.of(outcome.status()))
                    .lowCardinalityKeyValue("interlock.cause", cause == null ? "none" : TagValues.of(cause))
                    .stop();
        }
    }
}
