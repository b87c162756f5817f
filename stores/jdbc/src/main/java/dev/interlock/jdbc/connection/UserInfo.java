package dev.interlock.jdbc.connection;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user and password before the host of a URL: {@code user:password@}, percent-encoded. */
final class UserInfo {

    private static final Pattern PARTS =
            Pattern.compile("//(?<authority>[^/?;]*)(?<path>[^?;]*)(?<parameters>.*)", Pattern.DOTALL);

    /**
     * A URL that names servers after its slashes. Other URLs of H2 name a file, whose path may have any slashes and
     * colons.
     */
    private static final Pattern OF_SERVERS =
            Pattern.compile("jdbc:(?!h2:(?!(?:tcp|ssl):))[\\w:+-]*//.*", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    /**
     * Hosts that may contain colons: an IPv6 address, and an address block of the drivers of MySQL and MariaDB, which a
     * slash may cut short.
     */
    private static final Pattern HOST_WITH_COLONS =
            Pattern.compile("\\[[0-9A-Fa-f:.]*(?:%[^\\[\\]]*)?]|\\([^()=:]*=[^()]*(?:\\)|$)");

    /** The text after a colon, up to the next host. MySQL's driver accepts brackets around all hosts. */
    private static final Pattern AFTER_COLON = Pattern.compile(":([^,]*?)]?(?:,|$)", Pattern.DOTALL);

    /** May be empty: then the driver uses its default. */
    private static final Pattern PORT = Pattern.compile("\\s*\\d{0,5}\\s*");

    private static final int LAST_PORT = 65_535;

    /** An at sign that is not in the value of a parameter. */
    private static final Pattern BARE_PARAMETER = Pattern.compile("[?&;][^?=&;]*@");

    private UserInfo() {}

    /**
     * Whether the URL looks as if its password contained an unencoded character that ends it: then the rest of the
     * password is where a driver looks for a path or a parameter. An at sign in the path of an H2 file is allowed.
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

    /** Whether the text after a colon is not a port: it may be a password without its host. */
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

    /** The URL without anything that may be a user and a password. */
    static String removed(String url) {
        String rest = isCutOff(url) ? url.replaceFirst("(?s)//.*@", "//") : url.replaceFirst("//[^/?;@]*@", "//");
        return isHostMissing(rest) ? rest.replaceFirst("(?s)//.*", "//") : rest;
    }
}
