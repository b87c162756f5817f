package dev.interlock.zookeeper;

import dev.interlock.support.Credentials;
import dev.interlock.support.Host;
import dev.interlock.support.StoreUri;
import dev.interlock.support.UriForm;
import dev.interlock.support.UriOptions;
import java.util.List;
import java.util.stream.Collectors;

/** The URI of a store on ZooKeeper: {@code zk://user:password@h1:2181,h2:2181/path?session=15s}. */
final class ZooKeeperUri {

    /** The scheme. */
    static final String SCHEME = "zk";

    private static final UriForm FORM = new UriForm(
            "a ZooKeeper URI",
            List.of(SCHEME),
            "zk://[user:password@]host[:port][,host[:port]...]/path[?session=15s]",
            2181);
    private static final String SESSION = "session";
    private static final String RECIPE = "recipe";
    private static final String MUTEX = "InterProcessMutex";
    private static final String LEADER_LATCH = "LeaderLatch";

    private ZooKeeperUri() {}

    /**
     * The settings in a URI.
     *
     * @throws IllegalArgumentException if the URI breaks a rule; the message never quotes a password
     */
    static Settings parse(String text) {
        StoreUri uri = StoreUri.parse(text, FORM);
        String servers = uri.hosts().stream().map(Host::toString).collect(Collectors.joining(","));
        UriOptions options = uri.options().only(SESSION, RECIPE);
        Settings settings = Settings.of(servers, base(uri)).withSession(options.duration(SESSION, Settings.SESSION));
        String recipe = options.text(RECIPE);
        if (LEADER_LATCH.equals(recipe)) {
            settings = settings.withLeaderLatch();
        } else if (recipe != null && !recipe.equals(MUTEX)) {
            throw options.invalid(RECIPE, "must be " + MUTEX + " or " + LEADER_LATCH);
        }
        Credentials credentials = uri.credentials();
        if (credentials == null) {
            return settings;
        }
        if (credentials.user().isEmpty() || credentials.password() == null) {
            throw new IllegalArgumentException(
                    "The credentials of a ZooKeeper URI must be user:password, with a colon");
        }
        return settings.withDigest(credentials.user(), credentials.password());
    }

    private static String base(StoreUri uri) {
        try {
            return Settings.normalized('/' + uri.path());
        } catch (IllegalArgumentException e) {
            // The message of the cause quotes the path, which may be the rest of a password.
            throw uri.invalidPath(Settings.PATH_RULE);
        }
    }
}
