package dev.interlock.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.interlock.support.Host;
import dev.interlock.support.StoreUri;
import dev.interlock.support.UriForm;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code mongodb[+srv]://[user:password@]host[:port][,host[:port]...][/database][?collection=name&option=value...]}.
 * The options except {@code collection} are the driver's.
 *
 * @param uri the URI for the driver, with the credentials
 * @param database the name of the database
 * @param collection the name of the collection
 * @param hosts the scheme and the hosts, for messages
 */
record MongoUri(String uri, String database, String collection, String hosts) {

    static final List<String> SCHEMES = List.of("mongodb", "mongodb+srv");

    /** Where a URI names no collection. */
    static final String DEFAULT_COLLECTION = "interlock";

    private static final UriForm FORM = new UriForm(
            "a MongoDB URI",
            SCHEMES,
            "mongodb://[user:password@]host[:port]/database[?collection=name&option=value]",
            0);

    /** Narrower than MongoDB's own rules: so a name means the same on every server and in every tool. */
    private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_-]{1,63}");

    private static final Pattern COLLECTION =
            Pattern.compile("(?!system\\.)[A-Za-z_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_-])?");

    /** @throws IllegalArgumentException if the URI is malformed; the message never has the password */
    static MongoUri parse(String text) {
        StoreUri parsed = StoreUri.parse(text, FORM);
        String database = parsed.path().isEmpty() ? "interlock" : parsed.path();
        if (!DATABASE.matcher(database).matches()) {
            throw parsed.invalidPath("The database of a MongoDB URI must be 1 to 63 letters (a-z, A-Z), digits, hyphens"
                    + " and underscores");
        }
        String collection = parsed.options().text("collection");
        String hosts = parsed.hosts().stream().map(Host::toString).collect(Collectors.joining(","));
        String rest = hosts + "/" + parsed.path() + "?" + parsed.options().without("collection");
        var credentials = parsed.credentials();
        if (parsed.scheme().equals("mongodb")) {
            // The other scheme would ask the name service.
            forDriver(parsed.scheme() + "://" + (credentials == null ? "" : "user:password@") + rest);
        }
        return new MongoUri(
                parsed.scheme() + "://" + (credentials == null ? "" : credentials.encoded() + "@") + rest,
                database,
                collection(collection == null ? DEFAULT_COLLECTION : collection),
                parsed.scheme() + "://" + hosts);
    }

    /** Returns the name if it is one of a database; throws otherwise. */
    static String database(String name) {
        if (!DATABASE.matcher(name).matches()) {
            throw new IllegalArgumentException("The database of a MongoDB store must be 1 to 63 letters (a-z, A-Z),"
                    + " digits, hyphens and underscores: '" + name + "'");
        }
        return name;
    }

    /** Returns the name if it is one of a collection; throws otherwise. */
    static String collection(String name) {
        if (!COLLECTION.matcher(name).matches()) {
            throw new IllegalArgumentException("The collection of a MongoDB store must be 1 to 100 letters (a-z, A-Z),"
                    + " digits, hyphens, underscores and dots, begin with a letter or an underscore, not with"
                    + " 'system.', and not end with a dot: '" + name + "'");
        }
        return name;
    }

    /** A client, which connects in the background. The options of the URI override what this store sets. */
    MongoClient open() {
        return MongoClients.create(MongoClientSettings.builder()
                .applicationName("interlock")
                .retryWrites(true)
                .retryReads(true)
                .applyToConnectionPoolSettings(pool -> pool.maxSize(Workers.THREADS + 2)
                        .maxConnectionIdleTime(Workers.KEPT_OPEN.toMillis(), TimeUnit.MILLISECONDS))
                .applyConnectionString(forDriver(uri))
                .build());
    }

    private static ConnectionString forDriver(String uri) {
        try {
            // An option without a value may be the end of a password, which the driver would log.
            if (!uri.endsWith("=") && !uri.contains("=&")) {
                return new ConnectionString(uri);
            }
        } catch (IllegalArgumentException e) {
            // Not as the cause: it may quote the password, or an option's value such as proxyPassword.
        }
        throw new IllegalArgumentException("A MongoDB URI must have the form " + FORM.example()
                + "; the driver refuses the hosts, or an option's name or value");
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "MongoUri[database=" + database + ", collection=" + collection + "]";
    }
}
