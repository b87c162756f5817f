package dev.interlock.evidence;

import com.google.errorprone.annotations.Immutable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A library on a store, with settings. */
enum Subject {
    INTERLOCK_REDIS("Interlock", Store.REDIS, "default", true, InterlockRival::new),
    REDISSON("Redisson", Store.REDIS, "default", true, RedissonRival::plain),
    REDISSON_FENCED("Redisson", Store.REDIS, "`RFencedLock`, asked before each step", true, RedissonRival::fenced),
    SPRING_REDIS("Spring Integration", Store.REDIS, "default, nobody renews", false, SpringRedisRival::plain),
    SPRING_REDIS_RENEWING(
            "Spring Integration", Store.REDIS, "renewed by a scheduler", true, SpringRedisRival::renewing),
    INTERLOCK_POSTGRESQL("Interlock", Store.POSTGRESQL, "default", true, InterlockRival::new),
    SPRING_JDBC("Spring Integration", Store.POSTGRESQL, "default, nobody renews", false, SpringJdbcRival::plain),
    SPRING_JDBC_RENEWING("Spring Integration", Store.POSTGRESQL, "renewed by hand", true, SpringJdbcRival::renewing),
    SHEDLOCK("ShedLock", Store.POSTGRESQL, "default, nobody extends", false, ShedLockRival::plain),
    SHEDLOCK_EXTENDING("ShedLock", Store.POSTGRESQL, "extended by hand", true, ShedLockRival::extending),
    INTERLOCK_SQLITE("Interlock", Store.SQLITE, "default", true, InterlockRival::new),
    INTERLOCK_ZOOKEEPER("Interlock", Store.ZOOKEEPER, "default", true, InterlockRival::onSession),
    CURATOR("Curator", Store.ZOOKEEPER, "without a listener", true, CuratorRival::plain),
    CURATOR_LISTENING("Curator", Store.ZOOKEEPER, "SUSPENDED is a loss", true, CuratorRival::listening),
    INTERLOCK_ETCD("Interlock", Store.ETCD, "default", true, InterlockRival::onSession),
    JETCD("jetcd", Store.ETCD, "lease kept alive", true, JetcdRival::plain),
    JETCD_CAREFUL("jetcd", Store.ETCD, "lease watched, revision is token", true, JetcdRival::careful),
    /** Must be convicted of overlaps. */
    CONTROL_UNOWNED("control: a lock with a mistake", Store.REDIS, "no owner", false, BrokenRival::unowned),
    /** Must be convicted of a lock that nobody holds. */
    CONTROL_IMMORTAL("control: a lock with a mistake", Store.REDIS, "no lease", false, BrokenRival::immortal),
    /** Must be convicted of a lock that nobody holds. */
    CONTROL_HASTY("control: a lock with a mistake", Store.REDIS, "forgets late replies", false, BrokenRival::hasty),
    /** Must be convicted of a lock that nobody holds. */
    CONTROL_ONCE(
            "control: a lock with a mistake", Store.POSTGRESQL, "tries its release once", false, BrokenSqlRival::new);

    private final String library;
    private final Store store;
    private final String settings;
    private final boolean renews;
    private final Opening opening;

    Subject(String library, Store store, String settings, boolean renews, Opening opening) {
        this.library = library;
        this.store = store;
        this.settings = settings;
        this.renews = renews;
        this.opening = opening;
    }

    /** Makes a client. */
    @Immutable
    @FunctionalInterface
    private interface Opening {
        Rival open(String uri, String name, Duration lease);
    }

    /**
     * The one of this name.
     *
     * @throws IllegalArgumentException if there is none; the message names all
     */
    static Subject of(String id) {
        return Arrays.stream(values())
                .filter(subject -> subject.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--subject must be one of " + ids() + ": " + id));
    }

    static String ids() {
        return Arrays.stream(values()).map(Subject::id).collect(Collectors.joining(", "));
    }

    /** The name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String library() {
        return library;
    }

    Store store() {
        return store;
    }

    String settings() {
        return settings;
    }

    /** Whether a hold may last for longer than a lease. */
    boolean renews() {
        return renews;
    }

    /** Whether the checker must convict it. */
    boolean isControl() {
        return switch (this) {
            case CONTROL_UNOWNED, CONTROL_IMMORTAL, CONTROL_HASTY, CONTROL_ONCE -> true;
            default -> false;
        };
    }

    /** A client of the server at this URI. */
    Rival open(String uri, String name, Duration lease) {
        return opening.open(uri, name, lease);
    }
}
