package dev.interlock;

import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The options that have no effect on a kind, with the reason: one constant for each kind that lacks some. From this
 * table alone come the refusal of such an option, and what a client's defaults are for a kind. A plain lock has all
 * options.
 */
final class OptionsOfKind {

    private static final Option HAND_OVER = new Option(
            "handOver",
            options -> options.handOverCount() + ", " + options.handOverTime(),
            builder -> builder.handOver(
                    LockOptions.defaults().handOverCount(),
                    LockOptions.defaults().handOverTime()));
    private static final Option FAIR = new Option("fair", LockOptions::isFair, builder -> builder.fair(false));
    private static final Option REENTRANT =
            new Option("reentrant", LockOptions::isReentrant, builder -> builder.reentrant(true));
    private static final Option FORGET_LOST_HOLDS =
            new Option("forgetLostHolds", LockOptions::forgetsLostHolds, builder -> builder.forgetLostHolds(false));
    private static final Option RELEASE_EARLY =
            new Option("releaseEarly", LockOptions::releasesEarly, builder -> builder.releaseEarly(false));
    private static final Option RETAINED =
            new Option("retained", LockOptions::retained, builder -> builder.retained(Duration.ZERO));
    private static final Option PARTICIPANT = new Option(
            "participant", options -> Printable.of(options.participant()), builder -> builder.participant(""));
    private static final Option ON_REVOCATION_REQUESTED = new Option(
            "onRevocationRequested",
            options -> options.onRevocationRequested().isPresent() ? "callback" : "null",
            builder -> builder.onRevocationRequested(null));

    static final OptionsOfKind READ_WRITE_LOCK = new OptionsOfKind(
            new Lacking(FAIR, "A read/write lock keeps to the order of arrival anyway"),
            new Lacking(RETAINED, "A read/write lock goes back to the store at each release"));

    static final OptionsOfKind SEMAPHORE = new OptionsOfKind(
            new Lacking(REENTRANT, "A semaphore has no re-entry"),
            new Lacking(FORGET_LOST_HOLDS, "A semaphore has no holds of threads"),
            new Lacking(RETAINED, "Permits go back to the store at each release"),
            new Lacking(ON_REVOCATION_REQUESTED, "Nobody can ask for the permits of a semaphore"));

    static final OptionsOfKind ELECTION = new OptionsOfKind(
            new Lacking(HAND_OVER, "A client has one candidate in an election, so it hands nothing over"),
            new Lacking(FAIR, "An election keeps to the order of arrival anyway, where the store can"),
            new Lacking(REENTRANT, "An election has no re-entry"),
            new Lacking(FORGET_LOST_HOLDS, "An election has no holds of threads"),
            new Lacking(RELEASE_EARLY, "A candidate waits until the store has ended its leadership"),
            new Lacking(RETAINED, "A leader's lock goes back to the store at the end of each leadership"),
            new Lacking(PARTICIPANT, "A candidate is shown by the name of its own thread"),
            new Lacking(ON_REVOCATION_REQUESTED, "A candidate adds such a callback to the lease that it gets"));

    /**
     * An option.
     *
     * @param method the method of the builder
     * @param value its arguments in these options, as shown to people; equal only if the options are the same in it
     * @param undo sets the default
     */
    private record Option(String method, Function<LockOptions, Object> value, Consumer<LockOptions.Builder> undo) {

        boolean isGiven(LockOptions options) {
            return !value.apply(options).equals(value.apply(LockOptions.defaults()));
        }

        String in(LockOptions options) {
            return method + "(" + value.apply(options) + ")";
        }
    }

    /** An option that a kind lacks, and why it would have no effect. */
    private record Lacking(Option option, String reason) {}

    private final List<Lacking> all;

    private OptionsOfKind(Lacking... all) {
        this.all = List.of(all);
    }

    /**
     * Refuses options of which one has no effect on this kind.
     *
     * @throws IllegalArgumentException if one is given, with the reason and its value
     */
    void check(LockOptions options) {
        for (Lacking each : all) {
            if (each.option.isGiven(options)) {
                throw new IllegalArgumentException(each.reason + ": leave out " + each.option.in(options));
            }
        }
    }

    /** These options, with the default in place of each that this kind lacks. */
    LockOptions only(LockOptions options) {
        if (all.stream().noneMatch(each -> each.option.isGiven(options))) {
            return options;
        }
        LockOptions.Builder builder = options.toBuilder();
        all.forEach(each -> each.option.undo.accept(builder));
        return builder.build();
    }
}
