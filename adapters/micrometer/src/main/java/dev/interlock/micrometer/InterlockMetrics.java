package dev.interlock.micrometer;

import dev.interlock.LockObserver;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the locks of a client:
 *
 * <pre>{@code
 * Interlock interlock = Interlock.builder(uri)
 *     .observer(InterlockMetrics.builder(registry).build())
 *     .build();
 * }</pre>
 *
 * <p>Names of locks are not tags: a name for each order would be a time series for each order. See
 * {@link Builder#lockTag}. An object may observe several clients, and adds their figures up; to tell clients apart,
 * give each an object with {@link Builder#tags tags} of its own. The meters go with the client: when the last one is
 * closed that has them, nothing of them is left in the registry. Thread-safe.
 */
public final class InterlockMetrics implements LockObserver {

    /** The most values of the tag {@code lock}; later ones count as {@code other}. */
    public static final int MOST_LOCK_TAGS = 100;

    private static final String OTHER = "other";

    /** The tags of acquisitions that share meters. */
    private record Key(String kind, String lock) {}

    private final MeterRegistry registry;
    private final boolean histograms;
    private final Tags tags;
    private final @Nullable Function<String, @Nullable String> lockTag;
    private final Clock clock;
    private final Map<String, String> lockTags = new ConcurrentHashMap<>();
    private volatile long repliedNanos;

    /** The meters of the clients that are open; those of the last ones after these were closed. */
    private volatile Registered present;

    /** How many clients are open. Guarded by this. */
    private int clients;

    /** The meters from the first client to the last. */
    private static final class Registered {
        final Meters meters;
        final Map<Key, LockMeters> locks = new ConcurrentHashMap<>();
        final Map<String, RenewalMeters> renewals = new ConcurrentHashMap<>();

        Registered(Meters meters) {
            this.meters = meters;
        }
    }

    private InterlockMetrics(Builder builder) {
        this.registry = builder.registry;
        this.histograms = builder.histograms;
        this.tags = builder.tags;
        this.lockTag = builder.lockTag;
        this.clock = registry.config().clock();
        this.present = registered();
    }

    private Registered registered() {
        repliedNanos = clock.monotonicTime();
        Registered fresh = new Registered(new Meters(registry, histograms));
        fresh.meters.replyAge(tags, () -> clock.monotonicTime() - repliedNanos);
        if (lockTag == null) {
            var unused = renewals(fresh, "");
        }
        return fresh;
    }

    @Override
    public synchronized void opened(String clientId, Set<Capability> capabilities) {
        if (clients++ == 0 && present.meters.isClosed()) {
            present = registered();
        }
    }

    @Override
    public synchronized void closed() {
        if (--clients == 0) {
            present.meters.close();
        }
    }

    /**
     * {@return a builder of meters in this registry}
     *
     * @param registry the registry
     */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    @Override
    public Acquisition acquiring(String name, LockKind kind, Mode mode) {
        Key key = new Key(TagValues.kind(kind, mode), lock(name));
        Registered now = present;
        LockMeters found = now.locks.get(key);
        return (found != null ? found : now.locks.computeIfAbsent(key, missing -> register(now, missing))).begun();
    }

    @Override
    public void renewed(String name, String owner) {
        renewals(present, lock(name)).renewed().increment();
    }

    @Override
    public void renewalFailed(String name, String owner, Duration remaining, StoreUnavailableException failure) {
        renewals(present, lock(name)).failed().increment();
    }

    @Override
    public void storeReplied() {
        repliedNanos = clock.monotonicTime();
    }

    private LockMeters register(Registered now, Key key) {
        return new LockMeters(now.meters, tagged(key.lock()).and("kind", key.kind()));
    }

    private RenewalMeters renewals(Registered now, String lock) {
        return now.renewals.computeIfAbsent(lock, value -> new RenewalMeters(now.meters, tagged(value)));
    }

    private Tags tagged(String lock) {
        return lockTag == null ? tags : tags.and("lock", lock);
    }

    /** The value of the tag {@code lock}; empty if there is none. */
    private String lock(String name) {
        if (lockTag == null) {
            return "";
        }
        String value = lockTag.apply(name);
        if (value == null || value.isEmpty()) {
            return OTHER;
        }
        return lockTags.containsKey(value) || isAdded(value) ? value : OTHER;
    }

    private synchronized boolean isAdded(String value) {
        if (lockTags.size() < MOST_LOCK_TAGS) {
            lockTags.putIfAbsent(value, value);
        }
        return lockTags.containsKey(value);
    }

    /** Configures meters. Not thread-safe. */
    public static final class Builder {

        private final MeterRegistry registry;
        private Tags tags = Tags.empty();
        private @Nullable Function<String, @Nullable String> lockTag;
        private boolean histograms;

        private Builder(MeterRegistry registry) {
            this.registry = Objects.requireNonNull(registry, "registry");
        }

        /**
         * Adds tags to all meters, for example the name of the client.
         *
         * @param more the tags
         * @return this builder
         */
        public Builder tags(Iterable<Tag> more) {
            tags = tags.and(more);
            return this;
        }

        /**
         * Adds a tag {@code lock} to the meters, with a value for each name of a lock, for example {@code name ->
         * name.substring(0, name.indexOf(':'))}. There must be few values: the first
         * {@value InterlockMetrics#MOST_LOCK_TAGS} are used, later ones, null and the empty text count as
         * {@code other}.
         *
         * @param function gives the value for a name; called for each acquisition and renewal, so it must be quick
         * @return this builder
         */
        @SuppressWarnings("exports")
        public Builder lockTag(Function<String, @Nullable String> function) {
            lockTag = function;
            return this;
        }

        /**
         * Has the timers of waits and holds publish histograms, of which a monitoring system computes percentiles over
         * several instances. Each costs up to 70 time series. Filters of the registry can do the same, also for one
         * timer alone, and take precedence.
         *
         * @return this builder
         */
        public Builder histograms() {
            histograms = true;
            return this;
        }

        /**
         * Registers the meters.
         *
         * @return the observer to add to a client
         */
        public InterlockMetrics build() {
            return new InterlockMetrics(this);
        }
    }
}
