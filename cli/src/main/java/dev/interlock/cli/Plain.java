package dev.interlock.cli;

/** Text of unknown origin made fit for a terminal and for one line. */
public final class Plain {

    private Plain() {}

    /**
     * The text with everything that could move the cursor, colour the screen or turn the direction of writing replaced
     * by escapes such as {@code \n}.
     */
    public static String of(String text) {
        if (text.codePoints().noneMatch(Plain::unsafe)) {
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

    static boolean unsafe(int codePoint) {
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
