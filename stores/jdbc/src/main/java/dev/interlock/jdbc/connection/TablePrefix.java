package dev.interlock.jdbc.connection;

/**
 * The only text from a user that becomes part of SQL text. It is checked to be a plain identifier, so that it cannot be
 * anything else.
 */
public final class TablePrefix {

    /** The prefix of a store for which none is given. */
    public static final String DEFAULT = "interlock";

    private static final int MAX_LENGTH = 32;

    private TablePrefix() {}

    /**
     * Returns the prefix.
     *
     * @throws IllegalArgumentException if it is not an identifier of the allowed form
     */
    public static String checked(String prefix) {
        if (prefix.isEmpty() || prefix.length() > MAX_LENGTH || !isLetter(prefix.charAt(0)) || !isIdentifier(prefix)) {
            throw new IllegalArgumentException("A table prefix must be 1 to " + MAX_LENGTH
                    + " letters (a-z, A-Z), digits and underscores, and begin with a letter: '" + prefix + "'");
        }
        return prefix;
    }

    private static boolean isIdentifier(String text) {
        return text.chars().allMatch(c -> isLetter(c) || c == '_' || (c >= '0' && c <= '9'));
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
