package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;

/** Checks all arguments of the command line. */
final class Arguments {

    private static final char REPLACEMENT = '\uFFFD';

    private Arguments() {}

    /**
     * Refuses arguments that the JVM could not decode. It replaces their bytes, so that different names become equal,
     * and the program to run would get other arguments than those that were written.
     */
    static void check(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i].indexOf(REPLACEMENT) >= 0) {
                throw CommandException.usage("argument " + (i + 1) + " is not valid UTF-8 (or contains U+FFFD): '"
                        + args[i] + "'; allowed is text in UTF-8, in a UTF-8 locale");
            }
        }
    }
}
