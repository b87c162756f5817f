package dev.interlock.bench;

import java.util.List;

/** The peers. */
enum PeerKind {
    /**
     * The floor: SET NX PX and a compare-and-delete script, no re-entry, no renewal; contended, it tries again every
     * millisecond.
     */
    LETTUCE("raw Lettuce"),
    /** Redisson's lock, with its default settings. */
    REDISSON("Redisson"),
    /** Spring Integration's registry, in its default form, which polls. */
    SPRING_SPIN("Spring spin"),
    /** Spring Integration's registry, in the form that listens for releases. */
    SPRING_PUBSUB("Spring pub/sub"),
    /** Curator's recipes, on ZooKeeper. */
    CURATOR("Curator"),
    /** The lock of etcd's server, by jetcd. */
    JETCD("jetcd"),
    /** Spring Integration's registry on SQL, which polls every 100 ms. */
    SPRING_JDBC("Spring JDBC"),
    /** ShedLock's provider on SQL, which only tries: contended, it is asked again every 100 ms. */
    SHEDLOCK("ShedLock"),
    /** Ours, of an earlier build: see {@link Child#baseline()}. */
    BASELINE("Interlock before"),
    /** Ours, with its default settings. */
    INTERLOCK("Interlock"),
    /** Ours, with the meters and histograms of interlock-micrometer. */
    METERED("Interlock with metrics"),
    /** Ours, with locks that are kept until somebody asks. */
    RETAINED("Interlock, retained"),
    /** Ours, with locks that are released without waiting for the store. */
    EARLY("Interlock, released early");

    private final String title;

    PeerKind(String title) {
        this.title = title;
    }

    /** Those that are compared on Redis. */
    static List<PeerKind> onRedis() {
        return List.of(LETTUCE, REDISSON, SPRING_SPIN, SPRING_PUBSUB, INTERLOCK);
    }

    /** Those that can be measured on PostgreSQL. */
    static List<PeerKind> onSql() {
        return List.of(SPRING_JDBC, SHEDLOCK, INTERLOCK);
    }

    /** Those that can be measured on etcd. */
    static List<PeerKind> onEtcd() {
        return Child.baseline() == null ? List.of(JETCD, INTERLOCK) : List.of(JETCD, BASELINE, INTERLOCK);
    }

    /** The name, for people. */
    String title() {
        return title;
    }

    /** Whether a thread that holds the lock may lock it again. */
    boolean isReentrant() {
        return this != LETTUCE && this != SHEDLOCK && this != JETCD;
    }

    /** A client of the server at this URI. */
    Peer open(String uri) {
        return switch (this) {
            case LETTUCE -> new LettucePeer(uri);
            case REDISSON -> new RedissonPeer(uri);
            case SPRING_SPIN -> SpringPeer.spin(uri);
            case SPRING_PUBSUB -> SpringPeer.pubSub(uri);
            case CURATOR -> new CuratorPeer(uri);
            case JETCD -> new JetcdPeer(uri);
            case SPRING_JDBC -> new SpringJdbcPeer(uri);
            case SHEDLOCK -> new ShedLockPeer(uri);
            case BASELINE, INTERLOCK -> InterlockPeer.plain(uri);
            case METERED -> InterlockPeer.metered(uri);
            case RETAINED -> InterlockPeer.retained(uri);
            case EARLY -> InterlockPeer.early(uri);
        };
    }
}
