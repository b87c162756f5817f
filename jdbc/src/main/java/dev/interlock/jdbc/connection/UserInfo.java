package dev.interlock.jdbc.connection;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user and password before the host of a URL: {@code user:password@}, percent-encoded. */
final class UserInfo {

    private static final Pattern PARTS =
            Pattern.compile("//(?<authority>[^/?;]*)(?<path>[^?;]*)(?<parameters>.*)", Pattern.DOTALL);

    /** A URL that names servers after its slashes. H2's others name a file, with slashes and colons as they come. */
    private static final Pattern OF_SERVERS =
            Pattern.compile("jdbc:(?!h2:(?!(?:tcp|ssl):))[\\w:+-]*//.*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    /**
     * What may have colons in the place of a host: an IPv6 address, and an address of MySQL's and MariaDB's drivers,
     * which a slash may cut short.
     */
    private static final Pattern HOST_WITH_COLONS =
            Pattern.compile("\\[[0-9A-Fa-f:.]*(?:%[^\\[\\]]*)?]|\\([^()=:]*=[^()]*(?:\\)|$)");

    /** What stands behind a colon, up to the next host. MySQL's driver takes brackets around all hosts. */
    private static final Pattern AFTER_COLON = Pattern.compile(":([^,]*?)]?(?:,|$)", Pattern.DOTALL);

    /** Nothing is one, too: then the driver has its own. */
    private static final Pattern PORT = Pattern.compile("\\s*\\d{0,5}\\s*");

    private static final int LAST_PORT = 65_535;

    /** An at sign that is not in the value of a parameter. */
    private static final Pattern BARE_PARAMETER = Pattern.compile("[?&;][^=&;]*@");

    private UserInfo() {}

    /**
     * Whether the URL looks as if its password had a character in it that ends it: then its end stands where a driver
     * looks for a path or a parameter. An at sign in the path of H2, which is that of a file, is none.
     */
    static boolean isCutOff(String url) {
        Matcher parts = PARTS.matcher(url);
        if (!parts.find()) {
            return false;
        }
        String authority = parts.group("authority");
        String path = parts.group("path");
        String parameters = parts.group("parameters");
        boolean isCut = isHostMissing(url);
        return authority.indexOf('@') != authority.lastIndexOf('@')
                || (path.contains("@") && (isCut || !url.startsWith("jdbc:h2:")))
                || (parameters.contains("@") && isCut)
                || BARE_PARAMETER.matcher(parameters).find();
    }

    /** Whether there is no port where one should be: then it may be a password, whose host has been forgotten. */
    static boolean isHostMissing(String url) {
        Matcher parts = PARTS.matcher(url);
        if (!OF_SERVERS.matcher(url).matches() || !parts.find()) {
            return false;
        }
        String authority = parts.group("authority");
        String hosts = authority.substring(authority.lastIndexOf('@') + 1);
        return AFTER_COLON
                .matcher(HOST_WITH_COLONS.matcher(hosts).replaceAll("host"))
                .results()
                .anyMatch(behind -> !isPort(behind.group(1)));
    }

    private static boolean isPort(String text) {
        if (!PORT.matcher(text).matches()) {
            return false;
        }
        return text.isBlank() || (Integer.parseInt(text.strip()) > 0 && Integer.parseInt(text.strip()) <= LAST_PORT);
    }

    /** The URL without what may be a user and a password. */
    static String removed(String url) {
        String rest = isCutOff(url) ? url.replaceFirst("(?s)//.*@", "//") : url.replaceFirst("//[^/?;@]*@", "//");
        return isHostMissing(rest) ? rest.replaceFirst("(?s)//.*", "//") : rest;
    }
}
