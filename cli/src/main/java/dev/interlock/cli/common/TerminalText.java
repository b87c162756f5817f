package dev.interlock.cli.common;

import dev.interlock.console.Json;
import java.util.Locale;

/** Makes text of unknown origin safe for a terminal, in one line. */
public final class TerminalText {

    private TerminalText() {}

    /**
     * Replaces every character that could move the cursor, change colours or change the direction of writing by an
     * escape such as {@code \n}.
     */
    public static String of(String text) {
        if (text.codePoints().noneMatch(Json::isUnsafe)) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (Json.isUnsafe(c)) {
                result.append(escape(c));
            } else {
                result.appendCodePoint(c);
            }
        });
        return result.toString();
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
