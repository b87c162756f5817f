package dev.interlock;

import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The kinds that do not have all {@link LockOptions}, with the options that each lacks and the reason. From this table
 * alone come the refusal of such an option, and what a client's defaults are for a kind. A plain lock has all options.
 */
enum OptionsOfKind {
    READ_WRITE_LOCK(Map.of(
            Option.FAIR, "A read/write lock keeps to the order of arrival anyway",
            Option.RETAINED, "A read/write lock goes back to the store at each release")),
    SEMAPHORE(Map.of(
            Option.REENTRANT, "A semaphore has no re-entry",
            Option.FORGET_LOST_HOLDS, "A semaphore has no holds of threads",
            Option.RETAINED, "Permits go back to the store at each release")),
    ELECTION(Map.of(
            Option.HAND_OVER, "A client has one candidate in an election, so it hands nothing over",
            Option.FAIR, "An election keeps to the order of arrival anyway, where the store can",
            Option.REENTRANT, "An election has no re-entry",
            Option.FORGET_LOST_HOLDS, "An election has no holds of threads",
            Option.RELEASE_EARLY, "A candidate waits until the store has ended its leadership",
            Option.RETAINED, "A leader's lock goes back to the store at the end of each leadership",
            Option.PARTICIPANT, "A candidate is shown by the name of its own thread",
            Option.ON_REVOCATION_REQUESTED, "A candidate adds such a callback to the lease that it gets"));

    private final Map<Option, String> lacking;

    OptionsOfKind(Map<Option, String> lacking) {
        this.lacking = lacking;
    }

    /**
     * Refuses options of which one has no effect on this kind.
     *
     * @throws IllegalArgumentException if one is given, with the reason and its value
     */
    void check(LockOptions options) {
        for (Option option : Option.values()) {
            String reason = lacking.get(option);
            if (reason != null && option.isGiven(options)) {
                throw new IllegalArgumentException(
                        reason + ": leave out " + option.method + "(" + option.value.apply(options) + ")");
            }
        }
    }

    /** These options, with the default in place of each that this kind lacks. */
    LockOptions only(LockOptions options) {
        if (lacking.keySet().stream().noneMatch(option -> option.isGiven(options))) {
            return options;
        }
        LockOptions.Builder builder = options.toBuilder();
        lacking.keySet().forEach(option -> option.undo.accept(builder));
        return builder.build();
    }

    /** The options that some kind lacks. */
    private enum Option {
        HAND_OVER(
                "handOver",
                options -> options.handOverCount() + ", " + options.handOverTime(),
                builder -> builder.handOver(
                        LockOptions.defaults().handOverCount(),
                        LockOptions.defaults().handOverTime())),
        FAIR("fair", LockOptions::isFair, builder -> builder.fair(false)),
        REENTRANT("reentrant", LockOptions::isReentrant, builder -> builder.reentrant(true)),
        FORGET_LOST_HOLDS("forgetLostHolds", LockOptions::forgetsLostHolds, builder -> builder.forgetLostHolds(false)),
        RELEASE_EARLY("releaseEarly", LockOptions::releasesEarly, builder -> builder.releaseEarly(false)),
        RETAINED("retained", LockOptions::retained, builder -> builder.retained(Duration.ZERO)),
        PARTICIPANT("participant", options -> Printable.of(options.participant()), builder -> builder.participant("")),
        ON_REVOCATION_REQUESTED(
                "onRevocationRequested",
                options -> options.onRevocationRequested().isPresent() ? "callback" : "null",
                builder -> builder.onRevocationRequested(null));

        private final String method;
        private final Function<LockOptions, Object> value;
        private final Consumer<LockOptions.Builder> undo;

        /**
         * Describes an option.
         *
         * @param method the method of the builder
         * @param value its arguments in these options, as shown to people; only the default's are equal to the
         *     default's
         * @param undo sets the default
         */
        Option(String method, Function<LockOptions, Object> value, Consumer<LockOptions.Builder> undo) {
            this.method = method;
            this.value = value;
            this.undo = undo;
        }

        boolean isGiven(LockOptions options) {
            return !value.apply(options).equals(value.apply(LockOptions.defaults()));
        }
    }
}
