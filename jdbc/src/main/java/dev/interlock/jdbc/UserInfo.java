package dev.interlock.jdbc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user and password before the host of a URL: {@code user:password@}, percent-encoded. */
final class UserInfo {

    private static final Pattern PARTS =
            Pattern.compile("//(?<authority>[^/?;]*)(?<path>[^?;]*)(?<parameters>.*)", Pattern.DOTALL);

    /** What stands behind a colon and is no port, outside of the brackets of an IPv6 address. */
    private static final Pattern NO_PORT = Pattern.compile(":(?!\\d*(?:,|$))(?![^\\[]*])");

    /** An at sign that is not in the value of a parameter. */
    private static final Pattern BARE_PARAMETER = Pattern.compile("[?&;][^=&;]*@");

    private UserInfo() {}

    /**
     * Whether the URL looks as if its password had a character in it that ends it: then its end stands where a driver looks for a path or a parameter. An at sign in the path of
     * H2, which is that of a file, is none.
     */
    static boolean isCutOff(String url) {
        Matcher parts = PARTS.matcher(url);
        if (!parts.find()) {
            return false;
        }
        String authority = parts.group("authority");
        String path = parts.group("path");
        String parameters = parts.group("parameters");
        boolean isCut = !authority.contains("@") && NO_PORT.matcher(authority).find();
        return authority.indexOf('@') != authority.lastIndexOf('@')
                || (path.contains("@") && (isCut || !url.startsWith("jdbc:h2:")))
                || (parameters.contains("@") && isCut)
                || BARE_PARAMETER.matcher(parameters).find();
    }

    /** The URL without what may be a user and a password. */
    static String removed(String url) {
        return isCutOff(url) ? url.replaceFirst("(?s)//.*@", "//") : url.replaceFirst("//[^/?;@]*@", "//");
    }
}
