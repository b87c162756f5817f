package dev.interlock.evidence;

import com.google.errorprone.annotations.Immutable;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A defect that users of a library have reported, as a program, and the same program with Interlock. */
enum Case {
    REDISSON_4698(
            "Redisson: the holder is not told that another has its lock",
            RedisCases::holderOfRedissonIsNotTold,
            RedisCases::holderIsTold),
    REDISSON_NESTED(
            "Redisson: a nested lock of a fixed length ends the renewal of the outer one",
            RedisCases::nestedLockOfRedissonEndsRenewal,
            RedisCases::nestedLockLeavesRenewalAlone),
    REDISSON_2045(
            "Redisson: the permit of a process that is gone does not come back (RSemaphore)",
            RedisCases::permitOfRedissonIsGone,
            RedisCases::permitComesBack),
    SPRING_2660(
            "Spring Integration: threads wait in their process for a holder whose lease is over",
            RedisCases::threadOfSpringWaits,
            RedisCases::threadGetsIt),
    CURATOR_REENTRY(
            "Curator: a holder that was told that its session has ended enters again while another holds",
            ZooKeeperCases::curatorEntersAgain,
            ZooKeeperCases::entryIsRefused),
    CURATOR_BUDGET(
            "Curator: an acquire of 200 ms takes seconds when the server is silent",
            ZooKeeperCases::curatorExceedsItsTime,
            ZooKeeperCases::timeIsKept);

    private final String title;
    private final Run theirs;
    private final Run ours;

    Case(String title, Run theirs, Run ours) {
        this.title = title;
        this.theirs = theirs;
        this.ours = ours;
    }

    /** The program: tells what it sees, and returns whether it is the defect. */
    @Immutable
    @FunctionalInterface
    interface Run {
        boolean showsDefect(Consumer<String> saw) throws Exception;
    }

    /**
     * The one of this name.
     *
     * @throws IllegalArgumentException if there is none; the message names all
     */
    static Case of(String id) {
        return Arrays.stream(values())
                .filter(one -> one.id().equals(id.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--case must be one of " + ids() + ": " + id));
    }

    static String ids() {
        return Arrays.stream(values()).map(Case::id).collect(Collectors.joining(", "));
    }

    /** The name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Runs both programs. Whether the other library shows the defect and Interlock does not. */
    boolean isShown(Consumer<String> saw) throws Exception {
        saw.accept(id() + ". " + title);
        boolean their = theirs.showsDefect(line -> saw.accept("  they: " + line));
        boolean our = ours.showsDefect(line -> saw.accept("  Interlock: " + line));
        saw.accept("  " + (their ? "The defect shows." : "The defect does not show.") + " Interlock "
                + (our ? "has it, too." : "does not have it."));
        return their && !our;
    }
}
