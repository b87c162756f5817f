package dev.interlock.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URI of a store, which may contain a password, and its form without.
 *
 * @param value the URI as given
 */
public record StoreUri(String value) {

    /** From the authority's begin to the last {@code @}: also where a password has an unescaped {@code /} or {@code @}. */
    private static final Pattern USER_INFO = Pattern.compile("(?<=//)\\S*@");

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.");

    private static final String SECRET_NAME = "[^?&;=(),\\s]*(?:pass|pwd|secret|token|key)[^?&;=(),\\s]*=";

    /** In a query; in H2's settings, where a backslash takes the meaning from a semicolon; in the addresses that MySQL's driver takes. Each value ends where its reader would end it. */
    private static final Pattern SECRET_PARAMETER = Pattern.compile("(?i)(?<=[?&])" + SECRET_NAME + "[^&\\s]*"
            + "|(?<=;)" + SECRET_NAME + "(?:\\\\;|[^;\\s])*"
            + "|(?<=[(,])" + SECRET_NAME + "[^()\\s]*");

    /** The URI, if it may be one; the store's provider looks at the rest. */
    static StoreUri checked(String value, String origin) {
        if (!SCHEME.matcher(value).lookingAt()) {
            throw Complaint.usage(
                    origin + " must be a URI that begins with a scheme and a colon, such as sqlite:/path/to/file or "
                            + "redis://host:6379: '" + value + "'");
        }
        return new StoreUri(value);
    }

    /** The SQLite store in this file. */
    public static StoreUri sqlite(Path file) {
        String path = file.toAbsolutePath().toString();
        return new StoreUri("sqlite:" + path.replace("%", "%25").replace("?", "%3F"));
    }

    /** The URI without its password: the user's name stays. */
    public String withoutPassword() {
        String text = value;
        Matcher matcher = USER_INFO.matcher(text);
        if (!isFile() && matcher.find()) {
            String userInfo = matcher.group();
            int colon = userInfo.indexOf(':');
            // Without a colon the whole is a password: that is how Redis URIs are read.
            String user = colon > 0 ? userInfo.substring(0, colon) + '@' : "";
            text = text.substring(0, matcher.start()) + user + text.substring(matcher.end());
        }
        return SECRET_PARAMETER.matcher(text).replaceAll("");
    }

    /** A message with every password of any URI in it hidden. */
    static String hidePasswords(String message) {
        String hidden = USER_INFO.matcher(message).replaceAll("***@");
        return SECRET_PARAMETER.matcher(hidden).replaceAll("***");
    }

    private boolean isFile() {
        String lower = value.toLowerCase(Locale.ROOT);
        return lower.startsWith("sqlite:") || lower.startsWith("jdbc:sqlite:");
    }

    /** Without the password, so that it cannot reach a log by accident. */
    @Override
    public String toString() {
        return withoutPassword();
    }
}
