package dev.interlock.jdbc.connection;

import dev.interlock.support.PercentEncoding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC URL of a database server, with two additions of ours: the parameter {@code prefix}, and {@code user:password@}
 * before the host, percent-encoded. The driver understands everything else.
 *
 * @param url the URL for the driver
 * @param settings the user, the password, and settings that the URL does not make
 * @param prefix how the names of the tables begin
 */
public record ServerUri(String url, Properties settings, String prefix) {

    /** Anything else may be a user or a host, before which the database is missing. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]{1,32}");

    /** Among the settings, which begin with the first question mark or semicolon: a password may have an ampersand. */
    private static final Pattern PREFIX = Pattern.compile("(?s)^[^?;]*+[?;](?:.*?[?&;])?(prefix=([^&;]*)(?:[&;]|$))");

    private static final Pattern H2_IN_MEMORY = Pattern.compile("(?i)jdbc:h2:mem:[^;]++(?!.*;DB_CLOSE_DELAY=).*");

    /**
     * Keeps an H2 database in memory after its last connection is closed: otherwise all claims would go with it,
     * because an idle store has no connection.
     */
    private static final String KEPT = "DB_CLOSE_DELAY";

    private static final Pattern USER_INFO = Pattern.compile("(?<=//)([^/?;@]*)@");

    /** The databases, by the word after {@code jdbc:}. */
    private static final List<String> KNOWN = List.of("postgresql", "mariadb", "mysql", "h2");

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException if it is not a URL of a known database; the message contains no password
     */
    public static ServerUri parse(String uri) {
        String database = database(uri);
        if (!KNOWN.contains(database)) {
            throw new IllegalArgumentException(
                    "An SQL store URI must begin with jdbc:postgresql:, jdbc:mariadb:, jdbc:mysql:, jdbc:h2:, "
                            + "jdbc:sqlite: or sqlite:; this one begins with '"
                            + (database.isEmpty() ? "" : "jdbc:" + database + ":") + "'"
                            + (database.equals("postgres") ? "; did you mean jdbc:postgresql:?" : ""));
        }
        if (UserInfo.isCutOff(uri)) {
            throw new IllegalArgumentException(
                    "The user and password of a store URI must be percent-encoded: write %2F for /, %3F for ?, "
                            + "%3B for ; and %40 for @: "
                            + ServerIdentity.of(uri));
        }
        if (UserInfo.isHostMissing(uri)) {
            // Not left to the driver: it would show, or log, what it took for a port.
            throw new IllegalArgumentException(
                    "The port of a host in a store URI must be a number from 1 to 65535; after //user:password "
                            + "stands @host");
        }
        String prefix = TablePrefix.DEFAULT;
        String url = uri;
        Matcher named = PREFIX.matcher(url);
        if (named.find()) {
            prefix = named.group(2);
            url = url.substring(0, named.start(1)) + url.substring(named.end(1));
            url = url.replaceAll("[?&;]$", "");
        }
        Properties settings = settings(database, url);
        Matcher user = USER_INFO.matcher(url);
        if (user.find()) {
            credentials(user.group(1), settings);
            url = url.substring(0, user.start()) + url.substring(user.end());
        }
        return new ServerUri(url, settings, TablePrefix.checked(prefix));
    }

    /**
     * The same URL without the settings that only an administrator of the database may make; empty if there are none.
     */
    Optional<ServerUri> withoutAdministratorSettings() {
        Properties fewer = new Properties();
        fewer.putAll(settings);
        return fewer.remove(KEPT) == null ? Optional.empty() : Optional.of(new ServerUri(url, fewer, prefix));
    }

    private static void credentials(String userInfo, Properties settings) {
        String[] parts = userInfo.split(":", 2);
        settings.setProperty("user", PercentEncoding.decode("The user of a store URI", parts[0]));
        if (parts.length == 2) {
            settings.setProperty("password", PercentEncoding.decode("The password of a store URI", parts[1]));
        }
    }

    /**
     * The settings that the URL does not make. A server that is missing, or that falls silent before the store has set
     * its own limit, must be detected within one attempt. The {@code loginTimeout} of PostgreSQL's driver is not used:
     * it leaves a thread behind that goes on reading.
     */
    private static Properties settings(String database, String url) {
        Properties settings = new Properties();
        if (H2_IN_MEMORY.matcher(url).matches()) {
            settings.setProperty(KEPT, "-1");
        }
        if (!database.equals("h2")) {
            int limitMs = WaitLimits.NETWORK_MS;
            String limit = Integer.toString(database.equals("postgresql") ? limitMs / 1_000 : limitMs);
            for (String setting : List.of("connectTimeout", "socketTimeout")) {
                if (!url.contains(setting)) {
                    settings.setProperty(setting, limit);
                }
            }
        }
        return settings;
    }

    private static String database(String uri) {
        String[] words = uri.split(":", 3);
        boolean isWord = words.length == 3
                && words[0].equalsIgnoreCase("jdbc")
                && WORD.matcher(words[1]).matches();
        // Of a long text lower case may take time by the square of its length.
        return isWord ? words[1].toLowerCase(Locale.ROOT) : "";
    }

    /** The URL without anything secret. */
    @Override
    public String toString() {
        return ServerIdentity.of(url).toString();
    }
}
