package dev.interlock.support;

/** Parts of messages. */
final class Messages {

    private static final int LONGEST_QUOTE = 100;

    private Messages() {}

    /**
     * The end of a message about a value.
     *
     * @param quotable false if the value may be the rest of a password, whose host has been forgotten
     */
    static String about(String value, String before, boolean quotable) {
        return quotable ? before + quoted(value) : forgottenHost();
    }

    static String forgottenHost() {
        return "; after user:password there must be @host";
    }

    /** In quotation marks, without its end if it is long, and with a question mark for each control character. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("'");
        text.chars().limit(LONGEST_QUOTE).forEach(c -> quoted.append(Character.isISOControl(c) ? '?' : (char) c));
        return quoted.append(text.length() > LONGEST_QUOTE ? "…'" : "'").toString();
    }

    static String capitalized(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
