package dev.interlock.cli;

/** What holds for all arguments of the command line. */
final class Arguments {

    private static final char REPLACEMENT = '\uFFFD';

    private Arguments() {}

    /**
     * Refuses what the JVM could not decode: it would be replaced, so that different names became equal, and the
     * program to run would be handed something else than was written.
     */
    static void check(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i].indexOf(REPLACEMENT) >= 0) {
                throw Complaint.usage("argument " + (i + 1) + " is not valid UTF-8 (or contains U+FFFD): '" + args[i]
                        + "'; allowed is text in UTF-8, in a UTF-8 locale");
            }
        }
    }
}
