package dev.interlock.cli.common;

import dev.interlock.spi.KnownStore;
import java.nio.file.Path;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URI of a store, which may contain a password, and its form without.
 *
 * @param value the URI as given
 */
public record StoreUri(String value) {

    /** More than any URI has. The patterns take time by the square of the length, and stack in proportion. */
    private static final int LONGEST = 2048;

    /** More than a message of ours has, with two URIs in it, for the same reason. */
    private static final int LONGEST_MESSAGE = 4096;

    /** The URI, if it may be one; the store's provider looks at the rest. */
    public static StoreUri checked(String given, String origin) {
        // What is read from a file, as a secret of a container is, often ends with a line break.
        String value = given.strip();
        if (!Patterns.SCHEME.matcher(value).lookingAt()) {
            throw CommandException.usage(
                    origin + " must be a URI that begins with a scheme and a colon, such as sqlite:/path/to/file or "
                            + "redis://host:6379: '" + value + "'" + KnownStore.advice(value));
        }
        if (value.length() > LONGEST) {
            throw CommandException.usage(
                    origin + " must be a URI of at most " + LONGEST + " characters: this one has " + value.length());
        }
        return new StoreUri(value).absolute();
    }

    /** A relative path would lead to another store from another directory, and COMMAND may change its own. */
    private StoreUri absolute() {
        int path = value.indexOf(':', begins("jdbc:") ? "jdbc:".length() : 0) + 1;
        return isFile() && isRelative(value.substring(path))
                ? new StoreUri(
                        value.substring(0, path) + encoded(Path.of("").toAbsolutePath()) + "/" + value.substring(path))
                : this;
    }

    /** The forms that the store refuses stay as they are. */
    private static boolean isRelative(String path) {
        return !path.isEmpty()
                && !path.startsWith("/")
                && !path.startsWith(":")
                && !path.startsWith("?")
                && !path.regionMatches(true, 0, "%2F", 0, 3)
                && !path.startsWith("file:");
    }

    /** The SQLite store in this file. */
    public static StoreUri sqlite(Path file) {
        return new StoreUri("sqlite:" + encoded(file.toAbsolutePath()));
    }

    private static String encoded(Path file) {
        return file.toString().replace("%", "%25").replace("?", "%3F");
    }

    /**
     * The URI without its password: the user's name stays, and that of a file is whole. Nothing stays of a long one.
     */
    public String withoutPassword() {
        if (isFile()) {
            return value;
        }
        if (value.length() > LONGEST) {
            return "…";
        }
        String text = value;
        Matcher matcher = (begins("jdbc:") ? Patterns.JDBC_USER_INFO : Patterns.USER_INFO).matcher(text);
        if (matcher.find()) {
            text = text.substring(0, matcher.start()) + user(matcher.group()) + text.substring(matcher.end());
        }
        text = Patterns.NO_PORT.matcher(text).replaceFirst("$1");
        return Patterns.SECRET_PARAMETER.matcher(text).replaceAll("");
    }

    /**
     * A message with every password of any URI in it hidden.
     *
     * @param known what may be a URI that the message repeats: of these it is known where they end, of others a blank
     *     ends them
     */
    public static String hidePasswords(String message, Collection<String> known) {
        String hidden = message;
        for (String uri : known) {
            String harmless = new StoreUri(uri).withoutPassword();
            hidden = harmless.equals(uri) ? hidden : hidden.replace(uri, harmless);
        }
        hidden = Patterns.USER_INFO_IN_TEXT.matcher(shortened(hidden)).replaceAll("***@");
        return Patterns.SECRET_PARAMETER_IN_TEXT.matcher(hidden).replaceAll("***");
    }

    /** Cut before a word: of half a URI it could not be seen where its password is. */
    private static String shortened(String message) {
        if (message.length() <= LONGEST_MESSAGE) {
            return message;
        }
        int end = LONGEST_MESSAGE;
        while (end > 0 && !Character.isWhitespace(message.charAt(end - 1))) {
            end--;
        }
        return message.substring(0, end) + "…";
    }

    private String user(String userInfo) {
        int colon = userInfo.indexOf(':');
        if (colon >= 0) {
            return colon > 0 ? userInfo.substring(0, colon) + '@' : "";
        }
        // Other clients of Redis read the whole as a password.
        return begins("redis") ? "" : userInfo;
    }

    /** Whether the store is a file. */
    public boolean isFile() {
        return begins("sqlite:") || begins("jdbc:sqlite:");
    }

    private boolean begins(String scheme) {
        return value.regionMatches(true, 0, scheme, 0, scheme.length());
    }

    /** Without the password, so that it cannot reach a log by accident. */
    @Override
    public String toString() {
        return withoutPassword();
    }

    /** Compiled when one of them is needed: the default store, a file, needs none. */
    private static final class Patterns {

        private static final String HOST = "(?:\\[[^]/?;@]*]|[^\\[/?;@:,]*)(?::\\d*)?";

        /** Hosts, a path and parameters, with an {@code @} in nothing but the value of a parameter. */
        private static final String PLAIN =
                HOST + "(?:," + HOST + ")*(?:/[^?;@]*)?(?:[?;&][^=&;?@]*+(?:=(?:\\\\.|[^&;])*+)?)*+$";

        /**
         * From the authority's begin to the last {@code @}: also where a password has an unescaped {@code /} or
         * {@code @}.
         */
        static final Pattern USER_INFO = Pattern.compile("(?s)(?<=//).*@");

        /**
         * The same, but that drivers of databases take passwords as parameters, too, and leave an {@code @} in them
         * alone.
         */
        static final Pattern JDBC_USER_INFO =
                Pattern.compile("(?s)(?<=//)(?:[^/?;@]*@(?=" + PLAIN + ")|(?!" + PLAIN + ").*@)");

        /** Behind the first slashes a name and what is no port, as where the host has been forgotten. */
        static final Pattern NO_PORT = Pattern.compile("^([^/?;]*//[^\\[\\]/?;&=@,:]*):(?!\\d*(?:[/?;&,]|$))[^/?;&,]*");

        /** But not where a message says the form of a URI. */
        static final Pattern USER_INFO_IN_TEXT =
                Pattern.compile("(?<=//)(?!(?:\\[user|\\[\\[user]):password@][^\\s@]*+(?!\\S))\\S*@");

        static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.");

        /**
         * In a query; in H2's settings, where a backslash takes the meaning from a semicolon; in the addresses that
         * MySQL's driver takes. Each value ends where its reader would end it.
         */
        static final Pattern SECRET_PARAMETER = secretParameter("");

        /** Whatever a blank ends: what follows it is the message. */
        static final Pattern SECRET_PARAMETER_IN_TEXT = secretParameter("\\s");

        /** @param ends what ends a name or a value besides what always does */
        private static Pattern secretParameter(String ends) {
            String letters = "[^?&;=()," + ends + "]*";
            String name = "(?:" + letters + "(?:pass|pwd|secret|token|key|credential|initsql|"
                    + "authmechanismproperties|connectionattributes)" + letters + "|init)=";
            return Pattern.compile("(?i)(?<=[?&])" + name + "[^&" + ends + "]*"
                    + "|(?<=;)" + name + "(?:\\\\;|[^;" + ends + "])*+"
                    + "|(?<=[(,])" + name + "[^()" + ends + "]*");
        }
    }
}
