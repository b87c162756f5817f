package dev.interlock.mongodb;

import java.util.regex.Pattern;

/**
 * Names of databases and collections: narrower than MongoDB's own rules, so that they mean the same on every server and
 * in every tool.
 */
final class Names {

    private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_-]{1,63}");
    private static final Pattern COLLECTION = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,99}");

    private Names() {}

    /** Returns the name if it is one of a database; throws otherwise. */
    static String database(String name) {
        if (!DATABASE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The database of a MongoDB store must be 1 to 63 letters (a-z, A-Z), digits, hyphens and underscores: '"
                            + name + "'");
        }
        return name;
    }

    /** Returns the name if it is one of a collection; throws otherwise. */
    static String collection(String name) {
        if (!COLLECTION.matcher(name).matches() || name.startsWith("system.") || name.endsWith(".")) {
            throw new IllegalArgumentException("The collection of a MongoDB store must be 1 to 100 letters (a-z, A-Z), "
                    + "digits, hyphens, underscores and dots, begin with a letter or an underscore, not with 'system.', and not end "
                    + "with a dot: '" + name + "'");
        }
        return name;
    }
}
