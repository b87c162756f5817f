package dev.interlock.cli.common;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Properties of the terminal. */
public final class Terminal {

    /**
     * Set by the launcher: the numbers of the standard streams that are terminals. Java has no way to find that out
     * that is the same in all versions.
     */
    private static final String PROPERTY = "interlock.terminals";

    private static final Path STAT = Path.of("/proc/self/stat");

    private Terminal() {}

    /** Whether the command can ask a person: standard input and standard error are terminals. */
    public static boolean canAsk() {
        return isTerminal('0') && isTerminal('2');
    }

    /** Whether lines on standard output can be redrawn. */
    public static boolean canRedraw() {
        return isTerminal('1') && isCapable();
    }

    /** Whether the whole terminal can be used: it shows standard output, and keys come from it. */
    public static boolean isInteractive() {
        return canRedraw() && isTerminal('0');
    }

    /** Whether standard error is a terminal that has more than plain text. */
    public static boolean showsErrors() {
        return isTerminal('2') && isCapable();
    }

    /** Whether a person reads standard error. */
    public static boolean isRead() {
        return isTerminal('2');
    }

    private static boolean isCapable() {
        String term = System.getenv("TERM");
        return term != null && !term.isEmpty() && !term.equals("dumb");
    }

    private static boolean isTerminal(char descriptor) {
        return System.getProperty(PROPERTY, "").indexOf(descriptor) >= 0;
    }

    /**
     * Whether this process is in the foreground of its terminal: then the programs that it started have received
     * Ctrl-C, too. False if that cannot be found out.
     */
    public static boolean isForeground() {
        try {
            String stat = Files.readString(STAT, StandardCharsets.ISO_8859_1);
            // The second field is a name in parentheses, which may contain any character.
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
            int group = Integer.parseInt(fields.get(2));
            int foreground = Integer.parseInt(fields.get(5));
            return foreground > 0 && group == foreground;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
