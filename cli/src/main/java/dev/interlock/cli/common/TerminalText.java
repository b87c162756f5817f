package dev.interlock.cli.common;

/** Makes text of unknown origin safe for a terminal, in one line. */
public final class TerminalText {

    private TerminalText() {}

    /**
     * Replaces every character that could move the cursor, change colours or change the direction of writing by an
     * escape such as {@code \n}.
     */
    public static String of(String text) {
        if (text.codePoints().noneMatch(TerminalText::unsafe)) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (unsafe(c)) {
                result.append(escape(c));
            } else {
                result.appendCodePoint(c);
            }
        });
        return result.toString();
    }

    /** Whether a character must be escaped. */
    public static boolean unsafe(int codePoint) {
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
            default -> String.format("\\u{%X}", codePoint);
        };
    }
}
