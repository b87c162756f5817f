package dev.interlock.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the command lines of {@code run} that are right and plain, which is nearly all of them. It leaves the others to
 * picocli, whose loading takes a considerable part of a start, and which knows how to say what is wrong.
 */
final class PlainRun {

    private PlainRun() {}

    /** The command, or null to leave it to picocli. */
    static @Nullable RunCommand parse(String... args) {
        if (args.length == 0 || !args[0].equals("run")) {
            return null;
        }
        RunCommand command = new RunCommand();
        for (int i = 1; i < args.length; i++) {
            String word = args[i];
            if (!word.startsWith("-")) {
                List<String> words = List.of(args).subList(i + 1, args.length);
                if (word.isEmpty() || words.isEmpty()) {
                    return null;
                }
                command.take(word, words);
                return command;
            }
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            if (equals >= 0) {
                if (!takes(command, word.substring(0, equals), word.substring(equals + 1))) {
                    return null;
                }
            } else if (!command.take(word)) {
                i++;
                if (i == args.length || !takes(command, word, args[i])) {
                    return null;
                }
            }
        }
        return null;
    }

    private static boolean takes(RunCommand command, String option, String value) {
        if (value.isEmpty() || value.startsWith("-")) {
            return false;
        }
        try {
            return command.take(option, value);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
