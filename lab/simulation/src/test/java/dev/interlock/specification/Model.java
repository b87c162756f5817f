package dev.interlock.specification;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A finite part of the specification: the constants of {@code Claims.tla}.
 *
 * @param clients how many clients there are
 * @param names how many names
 * @param tries how many claims each client makes
 * @param horizon when the clock stops
 * @param repeats how many messages the network delivers twice
 * @param crashes how often the store restarts without its claims
 * @param essence whether of states that can go the same ways only one is looked at, and writes to a guarded resource
 *     are left out
 * @param broken the rule that it breaks, or {@link #NOTHING}
 */
record Model(int clients, int names, int tries, int horizon, int repeats, int crashes, boolean essence, String broken) {

    static final String NOTHING = "nothing";

    /** Two clients that want one name, each once, and no fault but what messages suffer. */
    static Model small(int horizon) {
        return new Model(2, 1, 1, horizon, 0, 0, false, NOTHING);
    }

    Model withClients(int clients) {
        return new Model(clients, names, tries, horizon, repeats, crashes, essence, broken);
    }

    Model withNames(int names) {
        return new Model(clients, names, tries, horizon, repeats, crashes, essence, broken);
    }

    Model withRepeats(int repeats) {
        return new Model(clients, names, tries, horizon, repeats, crashes, essence, broken);
    }

    Model withCrashes(int crashes) {
        return new Model(clients, names, tries, horizon, repeats, crashes, essence, broken);
    }

    Model inEssence() {
        return new Model(clients, names, tries, horizon, repeats, crashes, true, broken);
    }

    Model breaking(String rule) {
        return new Model(clients, names, tries, horizon, repeats, crashes, essence, rule);
    }

    /** The configuration for TLC. */
    String configuration() {
        return """
                SPECIFICATION Spec
                CONSTANTS
                  Clients = {%s}
                  Names = {%s}
                  Tries = %d
                  Lease = 2
                  Provisional = 2
                  Margin = 1
                  Horizon = %d
                  Repeats = %d
                  Crashes = %d
                  Writes = %s
                  None = None
                  Broken = "%s"
                SYMMETRY Symmetry
                VIEW %s
                INVARIANTS Exclusion HeldInTheStore UniqueTokens NotOvertaken NotRefused NothingLeft
                PROPERTIES TokenOrder GrowingTokens NoRevival RenewedWhileHeld OnlyTheOwner
                """
                .formatted(
                        numbered("c", clients),
                        numbered("n", names),
                        tries,
                        horizon,
                        repeats,
                        crashes,
                        essence ? "FALSE" : "TRUE",
                        broken,
                        essence ? "Essence" : "View");
    }

    private static String numbered(String letter, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> letter + i).collect(Collectors.joining(", "));
    }
}
