package dev.interlock.evidence;

import com.google.errorprone.annotations.Immutable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A library on a store: ours with its default settings, others with the best that they offer and a lease like ours. */
enum OutageSubject {
    REDIS("Interlock", Store.REDIS, "", InterlockRival::new),
    REDISSON("Redisson", Store.REDIS, "`RFencedLock`, asked before each step", RedissonRival::fenced),
    POSTGRESQL("Interlock", Store.POSTGRESQL, "by URI", InterlockRival::new),
    POSTGRESQL_POOL("Interlock", Store.POSTGRESQL, "HikariCP", InterlockRival::pooled),
    POSTGRESQL_POOL_QUICK("Interlock", Store.POSTGRESQL, "HikariCP, `connectionTimeout` 1 s", InterlockRival::quick),
    SPRING_JDBC("Spring Integration", Store.POSTGRESQL, "renewed by hand", SpringJdbcRival::renewing),
    SHEDLOCK("ShedLock", Store.POSTGRESQL, "extended by hand", ShedLockRival::extending),
    MARIADB("Interlock", Store.MARIADB, "by URI", InterlockRival::new),
    MARIADB_POOL("Interlock", Store.MARIADB, "HikariCP", InterlockRival::pooled),
    MARIADB_POOL_QUICK("Interlock", Store.MARIADB, "HikariCP, `connectionTimeout` 1 s", InterlockRival::quick),
    ZOOKEEPER("Interlock", Store.ZOOKEEPER, "session 15 s", InterlockRival::new),
    ZOOKEEPER_30("Interlock", Store.ZOOKEEPER, "session 30 s", InterlockRival::onSession),
    CURATOR("Curator", Store.ZOOKEEPER, "session 30 s, `SUSPENDED` is a loss", CuratorRival::listening),
    ETCD("Interlock", Store.ETCD, "session 15 s", InterlockRival::new),
    ETCD_30("Interlock", Store.ETCD, "session 30 s", InterlockRival::onSession),
    JETCD("jetcd", Store.ETCD, "lease watched", JetcdRival::careful);

    /** The default of Interlock. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private final String library;
    private final Store store;
    private final String settings;
    private final Opening opening;

    OutageSubject(String library, Store store, String settings, Opening opening) {
        this.library = library;
        this.store = store;
        this.settings = settings;
        this.opening = opening;
    }

    /** Makes a client. */
    @Immutable
    @FunctionalInterface
    private interface Opening {
        Rival open(String uri, String name, Duration lease);
    }

    static OutageSubject of(String id) {
        return Arrays.stream(values())
                .filter(subject -> subject.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--subject must be one of " + ids() + ": " + id));
    }

    static String ids() {
        return Arrays.stream(values()).map(OutageSubject::id).collect(Collectors.joining(", "));
    }

    /** The name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For people. */
    String title() {
        return store.title() + ", " + library + (settings.isEmpty() ? "" : ", " + settings);
    }

    /** A server with its data on the disk. */
    Site start() {
        return store.open(Setup.DURABLE);
    }

    Rival open(String uri, String name) {
        return opening.open(uri, name, LEASE);
    }
}
