package dev.interlock.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code mongodb[+srv]://[user:password@]host[:port][,host[:port]...][/database][?collection=name&option=value...]}.
 * The options besides {@code collection} are the driver's.
 *
 * <p>Messages name the rule and the part that breaks it, but nothing before the last {@code @}: a password may stand
 * there, wherever it was meant to end. Nor what should be hosts and ports, which is a user and a password if the host
 * has been forgotten, nor the value of a driver's option.
 */
final class StoreUri {

    static final Set<String> SCHEMES = Set.of("mongodb", "mongodb+srv");

    private static final String FORM = "mongodb://[user:password@]host[:port]/database[?collection=name&option=value]";
    private static final String DEFAULT_DATABASE = "interlock";
    private static final String COLLECTION = "collection=";
    private static final Pattern REST = Pattern.compile("([^/?#\\s]+)(?:/([^?#]*))?(?:\\?([^#]*))?");

    private static final int LAST_PORT = 65_535;
    private static final Pattern HOST = Pattern.compile("(?:\\[[^\\[\\]]*]|[^:\\[\\]]*)(?::(\\d{1,5}))?");

    private static final String ENCODED = "(?:[^:/?#@\\[\\]%]|%[0-9A-Fa-f]{2})*";
    private static final Pattern CREDENTIALS = Pattern.compile(ENCODED + "(?::" + ENCODED + ")?");

    /** What stands for the credentials where messages may quote it. */
    private static final String NOBODY = "user:password@";

    private final String uri;
    private final String database;
    private final String collection;

    private StoreUri(String uri, String database, String collection) {
        this.uri = uri;
        this.database = database;
        this.collection = collection;
    }

    static StoreUri parse(String uri) {
        int colon = uri.indexOf("://");
        String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme)) {
            throw new IllegalArgumentException(
                    "A MongoDB URI must begin with mongodb:// or mongodb+srv://, as in " + FORM);
        }
        String afterScheme = uri.substring(colon + 3);
        int at = afterScheme.lastIndexOf('@');
        String credentials = afterScheme.substring(0, at + 1);
        checkCredentials(credentials);
        Matcher rest = REST.matcher(afterScheme.substring(at + 1));
        if (!rest.matches()) {
            throw new IllegalArgumentException("A MongoDB URI must have the form " + FORM
                    + "; what stands after the credentials, or in place of them and a host, is not understood");
        }
        checkPorts(rest.group(1));
        // Behind a colon without credentials it may be the end of a password with a slash.
        boolean isShown = at >= 0 || rest.group(1).indexOf(':') < 0;
        String path = rest.group(2) == null ? "" : rest.group(2);
        String database = database(path.isEmpty() ? DEFAULT_DATABASE : path, isShown);
        List<String> options = new ArrayList<>(List.of(rest.group(3) == null ? "" : rest.group(3)));
        String collection = Names.collection(takeCollection(options));
        String cleaned = rest.group(1) + "/" + path + options.get(0);
        if (scheme.equals("mongodb")) {
            // The other scheme would ask the name service.
            check(scheme + "://" + (at < 0 ? "" : NOBODY) + cleaned);
        }
        return new StoreUri(scheme + "://" + credentials + cleaned, database, collection);
    }

    String database() {
        return database;
    }

    String collection() {
        return collection;
    }

    /**
     * A client, which connects in the background. What this store sets is a default: the options of the URI come after
     * it.
     */
    MongoClient open() {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applicationName("interlock")
                .retryWrites(true)
                .retryReads(true)
                .applyToConnectionPoolSettings(
                        pool -> pool.maxSize(Workers.THREADS + 1).maxConnectionIdleTime(1, TimeUnit.MINUTES));
        return MongoClients.create(
                settings.applyConnectionString(connectionString()).build());
    }

    private ConnectionString connectionString() {
        try {
            return new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            // Its message may quote the password.
            throw new IllegalStateException(
                    "The driver cannot read the MongoDB URI of the store in database '" + database
                            + "': user and password must be percent-encoded, and every option be one of the driver's");
        }
    }

    /** Takes the option that is this store's out of the query. */
    private static String takeCollection(List<String> query) {
        String collection = MongoStore.DEFAULT_COLLECTION;
        StringBuilder others = new StringBuilder();
        for (String option : query.get(0).split("&", -1)) {
            if (option.startsWith(COLLECTION)) {
                collection = option.substring(COLLECTION.length());
            } else if (!option.isEmpty()) {
                others.append(others.length() == 0 ? '?' : '&').append(option);
            }
        }
        query.set(0, others.toString());
        return collection;
    }

    private static void check(String withoutCredentials) {
        try {
            var unused = new ConnectionString(withoutCredentials);
        } catch (IllegalArgumentException e) {
            // Not the cause: it may quote an option's value, such as proxyPassword.
            throw new IllegalArgumentException("A MongoDB URI must have the form " + FORM
                    + "; the hosts, or an option's name or value, are refused by the driver");
        }
    }

    private static void checkPorts(String hosts) {
        for (String one : hosts.split(",", -1)) {
            Matcher host = HOST.matcher(one);
            if (!host.matches() || (host.group(1) != null && !isPort(Integer.parseInt(host.group(1))))) {
                throw new IllegalArgumentException(
                        "The port of a MongoDB URI must be a number from 1 to 65535; behind a password stands @host");
            }
        }
    }

    private static boolean isPort(int number) {
        return number > 0 && number <= LAST_PORT;
    }

    private static String database(String name, boolean isShown) {
        try {
            return Names.database(name);
        } catch (IllegalArgumentException e) {
            throw isShown
                    ? e
                    : new IllegalArgumentException("The database of a MongoDB URI must be 1 to 63 letters (a-z, A-Z), "
                            + "digits, hyphens and underscores; behind a password stands @host");
        }
    }

    private static void checkCredentials(String credentials) {
        String secret = credentials.isEmpty() ? "" : credentials.substring(0, credentials.length() - 1);
        if (!CREDENTIALS.matcher(secret).matches()) {
            throw new IllegalArgumentException("User and password of a MongoDB URI must be percent-encoded: "
                    + "'%' as %25, ':' as %3A, '/' as %2F, '@' as %40, '?' as %3F");
        }
    }
}
