package dev.interlock.evidence;

import java.util.function.Function;

/** The kinds of servers. */
enum Store {
    REDIS("Redis", RedisSite::of),
    POSTGRESQL("PostgreSQL", PostgresSite::new),
    MARIADB("MariaDB", setup -> new MariaDbSite()),
    SQLITE("SQLite", setup -> new SqliteSite()),
    ZOOKEEPER("ZooKeeper", ZooKeeperSite::new),
    ETCD("etcd", EtcdSite::new);

    private final String title;
    // A constructor of a site, which has no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Setup, Site> site;

    Store(String title, Function<Setup, Site> site) {
        this.title = title;
        this.site = site;
    }

    /** The name, for people. */
    String title() {
        return title;
    }

    /** Starts servers that are set up like this. */
    Site open(Setup setup) {
        return site.apply(setup);
    }
}
