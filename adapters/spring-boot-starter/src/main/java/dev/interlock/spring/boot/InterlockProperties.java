package dev.interlock.spring.boot;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The properties of the client. A number without a unit is no duration: by default it would be milliseconds, which is
 * not what a lease of 30 is meant to be. So its unit is one that Boot refuses, and {@link InterlockFailureAnalyzer}
 * says what to write.
 *
 * @param uri Where the locks are, for example redis://localhost:6379. Without it the application's own connection is
 *     used, if it has one: a DataSource, a Lettuce connection factory or client, a CuratorFramework or a MongoClient.
 * @param store Which of the application's own connections to use, if it has several.
 * @param application The name that is shown to people who look at a lock. By default spring.application.name.
 * @param namePrefix A text with which the names of all locks begin in the store. The application knows them without it.
 * @param storeTimeout How long a call waits while the store does not answer at all.
 * @param attemptTimeout After this time without an answer a request counts as unanswered, and is repeated.
 * @param pollCap The longest sleep of a waiter that is not woken. By default what suits the store.
 * @param closeTimeout How long closing the client waits for the store to confirm releases.
 * @param database The MongoDB database for the locks, if the application's own client is used.
 * @param defaults The options of locks that have none of their own.
 * @param locks The options of locks by name; a name that ends with * is a prefix. The longest match counts.
 * @param elections The elections in which the application stands, besides those of methods with @LeaderOnly.
 * @param locked Settings of methods with @Locked.
 * @param metrics Settings of interlock-micrometer.
 */
@ConfigurationProperties("interlock")
public record InterlockProperties(
        @Nullable String uri,
        @Nullable StoreKind store,
        @Nullable String application,
        @DefaultValue("") String namePrefix,
        @DefaultValue("30s") @DurationUnit(ChronoUnit.FOREVER) Duration storeTimeout,
        @DefaultValue("2s") @DurationUnit(ChronoUnit.FOREVER) Duration attemptTimeout,
        @Nullable @DurationUnit(ChronoUnit.FOREVER) Duration pollCap,
        @DefaultValue("5s") @DurationUnit(ChronoUnit.FOREVER) Duration closeTimeout,
        @DefaultValue("interlock") String database,
        @DefaultValue Lock defaults,
        Map<String, Lock> locks,
        @DefaultValue List<String> elections,
        @DefaultValue Locked locked,
        @DefaultValue Metrics metrics) {

    /** Copies the map, and refuses an election without a name, which a comma at the end makes. */
    public InterlockProperties {
        if (elections.contains("")) {
            throw new InterlockConfigurationException(
                    "interlock.elections has an empty name: " + elections,
                    "Remove it from interlock.elections: a comma at the end makes one.",
                    null);
        }
        locks = locks == null ? Map.of() : Map.copyOf(new HashMap<>(locks));
    }

    /** Never shows the URI, which may have a password. */
    @Override
    public String toString() {
        return "InterlockProperties[uri=" + (uri == null ? "none" : "***") + ", store=" + store + "]";
    }

    /** The kinds of connections of an application on which there is a store. */
    public enum StoreKind {
        /** A {@code javax.sql.DataSource}. */
        JDBC,
        /** A Lettuce client, or Spring Data's connection factory on one. */
        REDIS,
        /** A {@code CuratorFramework}. */
        ZOOKEEPER,
        /** A {@code MongoClient}. */
        MONGODB;

        /** As it is written in the properties. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The options of a lock.
     *
     * @param lease How long the store keeps the claim of a holder that it does not hear of. Renewed while it is held.
     * @param fixed Whether the lease is never renewed.
     * @param maxHold How long the lock may be held at most, if the lease is renewed.
     * @param fair Whether callers of all processes get the lock in the order in which they arrive at the store.
     * @param reentrant Whether a thread that holds the lock may acquire it once more.
     * @param handOverCount How often the lock passes on inside the process before others get their turn; 0 to 1023.
     * @param handOverTime How long it does.
     * @param retained For how long the process keeps the lock after its last use, unless another process wants it.
     * @param releaseEarly Whether the lock is released without waiting for the store.
     * @param lockDelay For how long the name stays closed after a lease on it was lost.
     */
    public record Lock(
            @Nullable @DurationUnit(ChronoUnit.FOREVER) Duration lease,
            @Nullable Boolean fixed,
            @Nullable @DurationUnit(ChronoUnit.FOREVER) Duration maxHold,
            @Nullable Boolean fair,
            @Nullable Boolean reentrant,
            @Nullable Integer handOverCount,
            @Nullable @DurationUnit(ChronoUnit.FOREVER) Duration handOverTime,
            @Nullable @DurationUnit(ChronoUnit.FOREVER) Duration retained,
            @Nullable Boolean releaseEarly,
            @Nullable @DurationUnit(ChronoUnit.FOREVER) Duration lockDelay) {

        /**
         * These options where they are set, and elsewhere those of {@code base}.
         *
         * @throws IllegalArgumentException if a value is out of its range, or a fixed lease has a maximum hold
         * @throws IllegalStateException if two options do not go together
         */
        LockOptions over(LockOptions base) {
            LockOptions.Builder options = base.toBuilder().lease(term(base.lease()));
            if (handOverCount != null || handOverTime != null) {
                options.handOver(
                        handOverCount == null ? base.handOverCount() : handOverCount,
                        handOverTime == null ? base.handOverTime() : handOverTime);
            }
            if (retained != null) {
                options.retained(retained);
            }
            if (releaseEarly != null) {
                options.releaseEarly(releaseEarly);
            }
            if (lockDelay != null) {
                options.lockDelay(lockDelay);
            }
            if (fair != null) {
                options.fair(fair);
            }
            if (reentrant != null) {
                options.reentrant(reentrant);
            }
            return options.build();
        }

        private LeaseTerm term(LeaseTerm base) {
            Duration length = lease == null ? base.length() : lease;
            if (fixed == null ? !base.isRenewing() : fixed) {
                if (maxHold != null) {
                    throw new IllegalArgumentException(
                            "A fixed lease has no max-hold, since its length is its bound: remove one of them");
                }
                return LeaseTerm.fixed(length);
            }
            LeaseTerm term = LeaseTerm.renewing(length);
            Duration limit = maxHold == null ? base.maxHold().orElse(null) : maxHold;
            return limit == null ? term : term.maxHold(limit);
        }
    }

    /**
     * Settings of methods with {@code @Locked}.
     *
     * @param enabled Whether methods with @Locked are locked.
     * @param order The order of the advice; a smaller number is further outside. By default outside of transactions.
     */
    public record Locked(@DefaultValue("true") boolean enabled, @DefaultValue("" + DEFAULT_ORDER) int order) {

        /** Outside of transactions, which are at the innermost place by default. */
        static final int DEFAULT_ORDER = Integer.MAX_VALUE - 100;
    }

    /**
     * Settings of interlock-micrometer.
     *
     * @param enabled Whether the application's meter registry has meters of the locks.
     * @param histograms Whether the timers of waits and holds publish histograms.
     * @param prefixes The beginnings of names of locks that are told apart by the tag "lock". The longest match counts.
     *     Other names have the tag "other". By default there is no such tag.
     * @param observations Whether the application's observation registry observes waits and holds, for traces.
     */
    public record Metrics(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean histograms,
            @DefaultValue List<String> prefixes,
            @DefaultValue("true") boolean observations) {

        /** Copies the list. */
        public Metrics {
            prefixes = List.copyOf(prefixes);
        }
    }

    /**
     * The options of the lock of a name.
     *
     * @throws IllegalArgumentException if a value is out of its range, or two do not go together; the message begins
     *     with the property
     */
    LockOptions options(String name) {
        LockOptions base = over(LockOptions.defaults(), "interlock.defaults", defaults);
        Lock exact = locks.get(name);
        if (exact != null) {
            return over(base, "interlock.locks." + name, exact);
        }
        return locks.entrySet().stream()
                .filter(entry -> isPrefix(entry.getKey(), name))
                .max(Comparator.comparingInt(entry -> entry.getKey().length()))
                .map(entry -> over(base, "interlock.locks." + entry.getKey(), entry.getValue()))
                .orElse(base);
    }

    private static boolean isPrefix(String key, String name) {
        return key.endsWith("*") && name.startsWith(key.substring(0, key.length() - 1));
    }

    private static LockOptions over(LockOptions base, String property, Lock options) {
        try {
            return options.over(base);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalArgumentException(Printable.of(property) + ": " + e.getMessage(), e);
        }
    }
}
