package dev.interlock.spi;

import java.util.Locale;

/**
 * Text of unknown origin for a person, a terminal or a log, in one line: names, and what servers say. Whoever puts a
 * name into a message, a {@code toString} or a log line takes it from here.
 */
public final class Printable {

    private Printable() {}

    /**
     * Replaces every character that could begin another line, move the cursor, change colours or the direction of
     * writing by an escape such as {@code \n}.
     */
    public static String of(String text) {
        if (text.codePoints().noneMatch(Printable::isUnsafe)) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (isUnsafe(c)) {
                result.append(escape(c));
            } else {
                result.appendCodePoint(c);
            }
        });
        return result.toString();
    }

    /**
     * What an exception says, or its type if it says nothing. Before what an error says stands its type: it may be no
     * more than the name of a class.
     */
    public static String messageOf(Throwable e) {
        String type = e.getClass().getSimpleName();
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return type;
        }
        return e instanceof Error ? type + ": " + of(message) : of(message);
    }

    /** Whether a character could do something where it is shown. */
    public static boolean isUnsafe(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static String escape(int codePoint) {
        return switch (codePoint) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u{" + Integer.toHexString(codePoint).toUpperCase(Locale.ROOT) + "}";
        };
    }
}
